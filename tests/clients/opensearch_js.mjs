// The JavaScript client, unchanged, with its helpers against the node at argv[2]. Run by ci/test-js.
import assert from 'node:assert/strict'
import { Client, errors } from '@opensearch-project/opensearch'

const client = new Client({ node: process.argv[2] })
const total = 1500
const documents = Array.from({ length: total }, (_, n) => ({ n, word: `w${n % 5}` }))

const checks = {
  async 'the bulk helper'() {
    await client.indices.create({
      index: 'words',
      body: {
        settings: { number_of_shards: 2, number_of_replicas: 0 },
        mappings: { properties: { n: { type: 'integer' }, word: { type: 'keyword' } } }
      }
    })
    const result = await client.helpers.bulk({
      datasource: documents,
      onDocument: document => ({ index: { _index: 'words', _id: String(document.n) } }),
      flushBytes: 5000,
      refreshOnCompletion: 'words'
    })
    assert.deepEqual([result.total, result.successful, result.failed], [total, total, 0])
    const { body } = await client.count({ index: 'words' })
    assert.equal(body.count, total)
  },
  async 'what the bulk helper drops'() {
    const dropped = []
    await client.helpers.bulk({
      datasource: [{ n: 'no number' }],
      onDocument: () => ({ index: { _index: 'words' } }),
      onDrop: document => dropped.push(document.status)
    })
    assert.deepEqual(dropped, [400])
  },
  async 'the scroll helpers'() {
    const seen = []
    for await (const page of client.helpers.scrollDocuments({
      index: 'words', size: 200, body: { query: { term: { word: 'w2' } }, sort: ['n'] }
    })) seen.push(page.n)
    assert.deepEqual(seen, documents.filter(d => d.word === 'w2').map(d => d.n))
    let pages = 0
    for await (const page of client.helpers.scrollSearch({ index: 'words', size: 500, body: { query: { match_all: {} } } })) {
      pages += page.documents.length > 0
    }
    assert.equal(pages, 3)
  },
  async 'the search and msearch helpers'() {
    const found = await client.helpers.search({ index: 'words', body: { query: { ids: { values: ['7'] } } } })
    assert.deepEqual(found, [{ n: 7, word: 'w2' }])
    const many = client.helpers.msearch({ operations: 2 })
    const answers = await Promise.all(
      ['w1', 'w3'].map(word => many.search({ index: 'words' }, { query: { term: { word } }, size: 1 }))
    )
    many.stop()
    assert.deepEqual(answers.map(a => a.body.hits.total.value), [total / 5, total / 5])
  },
  async 'reindex with a task'() {
    const { body } = await client.reindex({
      body: { source: { index: 'words', query: { range: { n: { lt: 100 } } } }, dest: { index: 'copy' } },
      wait_for_completion: false
    })
    const task = await client.tasks.get({ task_id: body.task, wait_for_completion: true })
    assert.equal(task.body.response.created, 100)
  },
  async 'search with highlight, collapse and suggest'() {
    const { body } = await client.search({
      index: 'words',
      body: {
        query: { match: { word: 'w4' } },
        highlight: { fields: { word: {} } },
        collapse: { field: 'word', inner_hits: { name: 'more', size: 2 } },
        suggest: { near: { text: 'w9', term: { field: 'word', min_word_length: 2, prefix_length: 0 } } }
      }
    })
    assert.deepEqual(body.hits.hits[0].highlight.word, ['<em>w4</em>'])
    assert.equal(body.hits.hits[0].inner_hits.more.hits.total.value, total / 5)
    assert.equal(body.suggest.near[0].text, 'w9')
  },
  async 'errors as the client knows them'() {
    await assert.rejects(client.search({ index: 'nothing-here' }), error => {
      assert(error instanceof errors.ResponseError)
      assert.equal(error.statusCode, 404)
      assert.equal(error.body.error.type, 'index_not_found_exception')
      return true
    })
  }
}

let failed = 0
for (const [name, check] of Object.entries(checks)) {
  try {
    await check()
    console.log(`passed: ${name}`)
  } catch (error) {
    failed += 1
    console.log(`FAILED: ${name}\n${error.stack}`)
  }
}
await client.close()
process.exit(failed ? 1 : 0)
