// Samples in Java 11 or newer, with its standard library: `java Example.java` runs one.
import type { Call } from './call.ts'

export function java({ method, url, credential, headers, body }: Call): string {
  const prefix = credential?.prefix ? `${JSON.stringify(credential.prefix)} + ` : ''
  const lines = [
    `.method("${method}", HttpRequest.BodyPublishers.${body === undefined ? 'noBody()' : `ofString(${JSON.stringify(body)})`})`,
    ...(credential ? [`.header(${JSON.stringify(credential.name)}, ${prefix}System.getenv("API_KEY"))`] : []),
    ...headers.map(([name, value]) => `.header(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
  ]
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Example {
    public static void main(String[] args) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${JSON.stringify(url)}))
${lines.map((line) => `            ${line}\n`).join('')}            .build();
        var response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(response.statusCode());
        System.out.println(response.body());
    }
}
`
}
