import t, { type Test } from 'tap'
import { checkConfigurationFile } from '../../domains/configuration-file.ts'
import { siteOf } from '../../domains/site.ts'
import { configurationOn } from '../../packages/custom-domains/test/fixtures/disk.ts'
import { worldOf } from '../../packages/custom-domains/test/fixtures/domains.ts'

const [docs, old, third] = ['docs.shop.test', 'old.shop.test', 'third.shop.test'] as const
const [apex, www] = ['shop.test', 'www.shop.test'] as const

async function siteIn(t: Test) {
  const world = await worldOf(t)
  const site = siteOf(world.registry)
  return { site, ...world, configuration: () => configurationOn(world.disk) }
}

t.test('the first domain is the primary one, and the next first one after its removal', async (t) => {
  const { site, configuration } = await siteIn(t)
  t.match(await site.add(docs), { domain: docs, isPrimary: true })
  t.match(await site.add(old), { isPrimary: false })
  await site.add(third)
  await site.redirect(old)
  t.match(site.list({}), { primary: docs, domains: [{ isPrimary: true }, { redirect: { to: docs } }, {}] })
  await site.remove(docs)
  t.match(site.list({}), { primary: undefined, domains: [{ isPrimary: false, redirect: undefined }, {}] })
  t.strictSame(configuration(), { redirects: [] })
  await t.rejects(site.redirect(old), { code: 'no_primary' })
  t.match(await site.add('new.shop.test'), { isPrimary: true })
})

t.test('domains redirect to the primary one, whichever it is', async (t) => {
  const { site, disk } = await siteIn(t)
  await t.rejects(site.redirect(docs), { code: 'domain_not_found' })
  for (const host of [docs, old, third]) await site.add(host)
  await t.rejects(site.redirect(' DOCS.shop.test.'), { code: 'is_primary' })
  t.match(await site.redirect(old), { redirect: { to: docs, status: 301 } })
  t.match(await site.redirect(old, 308), { redirect: { to: docs, status: 308 } })
  await site.redirect(third, 302)
  const { length } = disk.writes
  t.match(await site.setPrimary(' OLD.shop.test.'), { isPrimary: true, redirect: undefined })
  t.equal(disk.writes.length, length + 1, 'one save')
  const redirects = () => site.list({}).domains.map(({ redirect }) => redirect && `${redirect.status} ${redirect.to}`)
  t.strictSame(redirects(), [undefined, undefined, `302 ${old}`])
  t.match(await site.setPrimary(old), { isPrimary: true })
  t.strictSame(redirects(), [undefined, undefined, `302 ${old}`])
  t.match(await site.endRedirect(third), { isPrimary: false, redirect: undefined })
  await t.rejects(site.setPrimary('none.shop.test'), { code: 'domain_not_found' })
  await t.rejects(site.endRedirect('none.shop.test'), { code: 'domain_not_found' })
})

t.test('of a pair, the domain that does not redirect becomes the primary one', async (t) => {
  const { site, configuration } = await siteIn(t)
  t.match(await site.add(apex, 'to-www'), { domain: apex, isPrimary: false, counterpart: www })
  t.strictSame(configuration(), { primary: www, redirects: [{ from: apex, to: www, status: 301 }] })
})

t.test('both of a pair redirect to the primary domain, if there is another one', async (t) => {
  const { site, configuration, disk } = await siteIn(t)
  await t.rejects(site.add(apex, 'to-primary'), { code: 'no_primary' })
  await site.add(apex)
  await t.rejects(site.add(www, 'to-primary'), { code: 'is_primary' })
  await site.add(docs)
  await site.setPrimary(docs)
  await site.redirect(apex, 308)
  const { length } = disk.writes
  t.match(await site.add(www, 'to-primary'), { domain: www, redirect: { to: docs, status: 301 } })
  t.equal(disk.writes.length, length + 1, 'one save')
  const kept = { from: apex, to: docs, status: 308 }
  t.strictSame(configuration(), { primary: docs, redirects: [kept, { from: www, to: docs, status: 301 }] })
})

t.test('the primary domain is never made to redirect', async (t) => {
  const { site, configuration } = await siteIn(t)
  await site.add(www)
  await t.rejects(site.add(apex, 'from-www'), {
    code: 'is_primary',
    message: 'www.shop.test is the primary domain, which cannot redirect: let the other one redirect to it.',
  })
  t.strictSame(configuration(), { primary: www, redirects: [] })
  t.equal(site.find(apex), undefined)
})

t.test('choices are offered for a possible pair', async (t) => {
  const { site } = await siteIn(t)
  t.match(site.pairChoices('WWW.Bücher.test.'), { question: 'Add bücher.test as well?' })
  t.strictSame(site.pairChoices(docs), { choices: [] })
  await site.add(apex)
  t.strictSame(site.pairChoices(apex), { choices: [] })
  t.match(site.pairChoices(www), { question: 'shop.test has already been added. Set a redirect?' })
})

t.test('a configuration file that redirects the primary domain is rejected', async (t) => {
  const redirects = [{ from: docs, to: old }]
  const folder = t.testdir({
    'good.json': JSON.stringify({ domains: { primary: old, redirects } }),
    'none.json': '{"domains":{}}',
    'bad.json': JSON.stringify({ domains: { primary: docs, redirects } }),
  })
  const check = (configurationFile: string) => checkConfigurationFile({ dataDir: folder, configurationFile })
  for (const name of ['good.json', 'none.json', 'missing.json']) await check(`${folder}/${name}`)
  await t.rejects(check(`${folder}/bad.json`), {
    message: `${folder}/bad.json: domains.redirects has ${docs}, which is the primary domain itself`,
  })
  await t.rejects(check(folder), { code: 'EISDIR' })
})
