// Samples in C# for .NET 6 or newer, with its standard library.
import type { Call } from './call.ts'

export function csharp({ method, url, credential, headers, body }: Call): string {
  const prefix = credential?.prefix ? `${JSON.stringify(credential.prefix)} + ` : ''
  const add = (name: string, value: string) =>
    `request.Headers.TryAddWithoutValidation(${JSON.stringify(name)}, ${value});`
  const [type] = headers.filter(([name]) => name === 'Content-Type').map(([, value]) => value)
  const lines = [
    ...(credential ? [add(credential.name, `${prefix}Environment.GetEnvironmentVariable("API_KEY")`)] : []),
    ...headers.filter(([name]) => name !== 'Content-Type').map(([name, value]) => add(name, JSON.stringify(value))),
    ...(body === undefined
      ? []
      : [
          `request.Content = new StringContent(${JSON.stringify(body)});`,
          `request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(${JSON.stringify(type)});`,
        ]),
  ]
  return `using System.Net.Http.Headers;

using var client = new HttpClient();
var request = new HttpRequestMessage(new HttpMethod("${method}"), ${JSON.stringify(url)});
${lines.map((line) => `${line}\n`).join('')}
using var response = await client.SendAsync(request);
Console.WriteLine((int)response.StatusCode);
Console.WriteLine(await response.Content.ReadAsStringAsync());
`
}
