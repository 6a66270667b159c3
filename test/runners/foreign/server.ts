// Serves a foreign document: node server.ts petstore PORT FILE. The completed document goes to the file.
import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { documentApp } from 'test-kit/document-app'
import { echo, echoing, type names } from './echo.ts'

const [name = '', port, file = ''] = process.argv.slice(2)
const document = echoing(name as (typeof names)[number])
writeFileSync(file, JSON.stringify(document))
const { app } = await documentApp(document, { stub: echo })
await app.listen({ host: '127.0.0.1', port: Number(port) })
