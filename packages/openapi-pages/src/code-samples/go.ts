// Samples in Go, with its standard library.
import type { Call } from './call.ts'

export function go({ method, url, credential, headers, body }: Call): string {
  const sent = body === undefined ? 'nil' : `strings.NewReader(${JSON.stringify(body)})`
  const more = headers.map(
    ([name, value]) => `\trequest.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})\n`,
  )
  const value = credential?.prefix
    ? `${JSON.stringify(credential.prefix)}+os.Getenv("API_KEY")`
    : 'os.Getenv("API_KEY")'
  const key = credential ? `\trequest.Header.Set(${JSON.stringify(credential.name)}, ${value})\n` : ''
  return `package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
${body === undefined ? '' : '\t"strings"\n'})

func main() {
	request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${sent})
	if err != nil {
		log.Fatal(err)
	}
${key}${more.join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

	fmt.Println(response.Status)
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}
`
}
