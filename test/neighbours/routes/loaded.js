export default async function loaded(app) {
  app.get('/loaded', async () => 'loaded')
}
