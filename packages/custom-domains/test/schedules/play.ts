// Plays a schedule, checks after each task that nothing is lost, and in the end that all has settled.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { DAY, HOUR } from '../fixtures/clock.ts'
import type { Action, Step } from './actions.ts'
import { check, checkRenewed, checkServed, checkSettled } from './invariants.ts'
import { usersOf } from './users.ts'
import { startWorld } from './world.ts'

/** More tasks than any schedule needs to settle. */
const MANY = 20_000
/** Timers fire late by so much of a tenth of a certificate's life. */
const PARTS = 20

/** @throws with what was found, and a line for each action and task before it */
export async function play(life: number, steps: readonly Step[]): Promise<void> {
  const world = startWorld(life)
  const { tasks, ca, wrong } = world
  const users = usersOf(world)

  async function act(action: Action) {
    if (action.kind === 'pass') tasks.pass(action.ms)
    else if (action.kind === 'authority') ca.state.answer = action.answer
    else if (action.kind === 'disk') world.fill(action.isFull)
    else if (action.kind === 'dns') wrong[action.isRight ? 'delete' : 'add'](action.host)
    else if (action.kind === 'calm') await calm()
    else if (action.kind === 'neglect') await neglect(action.host)
    else if (action.kind === 'roll') ca.roll(action.host)
    else if (action.kind === 'lapse') world.lapse(action.at)
    else if (action.kind === 'rewind') rewind(action.lost)
    else if (action.kind === 'kill') kill(action.at)
    else users.operate(action).catch(world.fail)
    await setImmediate() // what it has begun waits for a task now
  }

  function kill(at: number) {
    users.onKill(world.instances[at]?.owner)
    world.kill(at)
  }

  function rewind(lost: number | undefined) {
    world.rewind(lost)
    users.onRewind()
  }

  async function neglect(host: string) {
    wrong.add(host)
    for (let day = 0; day < 40; day += 10) {
      tasks.pass(10 * DAY)
      await runAll()
    }
    wrong.delete(host)
  }

  async function runAll() {
    for (let count = 0; await tasks.runOne(0); count++) {
      check(world, users)
      assert.ok(count < MANY, 'the tasks never end')
    }
    check(world, users)
  }

  async function calm() {
    wrong.clear()
    ca.state.answer = 'good'
    world.fill(false)
    let hosts: string[] = []
    for (let part = 0; part <= PARTS; part++) {
      tasks.pass(life / 10 / PARTS)
      await runAll()
      if (part === 0) hosts = world.retried() // what could not be saved is saved now
    }
    checkServed(world, hosts)
  }

  async function settle() {
    await calm()
    for (const ms of [HOUR, DAY, 7 * DAY]) {
      tasks.pass(ms)
      await runAll()
    }
    for (const host of world.hosts())
      if (world.domainOf(host)?.state === 'failed') await act({ kind: 'verify', host, at: 0 })
    await runAll()
    await renewAll()
  }

  /** Every domain has had the right record for a day. */
  async function renewAll() {
    for (let part = 0; part < 8; part++) {
      tasks.pass((life * 2) / 15)
      checkRenewed(world)
      await runAll()
    }
  }

  try {
    await setImmediate()
    await runAll()
    for (const { action, tasks: choices } of steps) {
      tasks.trace.push(JSON.stringify(action))
      await act(action)
      for (const choice of choices) {
        if (!(await tasks.runOne(choice))) break
        check(world, users)
      }
    }
    tasks.trace.push('nothing more happens')
    await settle()
    checkSettled(world)
  } catch (error) {
    throw new Error([(error as Error).message, ...tasks.trace].join('\n'), { cause: error })
  }
}
