import { execFileSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import t from 'tap'
import { messageOf } from 'test-kit/message'
import { until } from 'test-kit/until'
import { withOrigin } from '../../src/certificates/certificate.ts'
import { exportFiles } from '../../src/files/export.ts'
import { lockFolder } from '../../src/files/lock.ts'
import { fileStorage } from '../../src/files/storage.ts'
import { domainOf } from '../fixtures/domains.ts'

const host = 'docs.shop.test'
const record = { kind: 'domain', name: host, value: domainOf(host) } as const

t.test('all is exported while the folder is locked, with the accounts of the authorities that are known', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage(folder)
  await storage.save([record], '')
  const certificate = withOrigin('certificate', { authority: 'https://former.test', issuedAt: 'then' })
  await storage.saveSecret('certificate', host, certificate)
  await storage.saveSecret('order', host, 'order')
  const authorities = ['https://ca.test', 'https://former.test', 'https://one.test', 'https://two.test']
  for (const name of authorities) await storage.replaceSecret('account', name, undefined, `key of ${name}`)
  await storage.close()
  const exported = await exportFiles({ folder, directoryUrls: ['https://ca.test', 'https://none.test'] }, async () => {
    t.match(await messageOf(() => lockFolder(folder)), /is in use by process/)
  })
  t.strictSame(exported, {
    records: [record],
    secrets: [
      { kind: 'certificate', name: host, text: certificate },
      { kind: 'order', name: host, text: 'order' },
      ...authorities.slice(0, 2).map((name) => ({ kind: 'account', name, text: `key of ${name}` })),
    ],
    accountsLeft: 2,
  })
  await (await lockFolder(folder)).release()
})

t.test('a process that loses the lock while it reads exports nothing', async (t) => {
  const folder = `${t.testdir()}/data`
  const storage = await fileStorage(folder)
  await storage.save([record], '')
  await storage.close()
  execFileSync('mkfifo', [`${folder}/certificates/${host}.pem`]) // reading it waits for the text
  const exported = messageOf(() => exportFiles({ folder, directoryUrls: [] }, async () => void t.fail('it is saved')))
  await until(async () => (await readdir(folder)).includes('lock-2'))
  await writeFile(`${folder}/lock-3`, '')
  await writeFile(`${folder}/certificates/${host}.pem`, 'certificate')
  t.match(await exported, /^another server has taken over /)
})
