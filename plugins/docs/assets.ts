// The files of the page: Swagger UI's, as @fastify/swagger-ui ships them, and those in browser/.
import { type Assets, assetsIn, loadAssets } from '../static/assets.ts'

export async function loadDocsAssets(): Promise<Assets> {
  const swaggerUi = ['swagger-ui-bundle.js', 'swagger-ui.css'].map(
    (name) => new URL(import.meta.resolve(`@fastify/swagger-ui/static/${name}`)),
  )
  return loadAssets([...swaggerUi, ...(await assetsIn('shared')), ...(await assetsIn('docs'))])
}
