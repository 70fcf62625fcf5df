/**
 * Tests of services that use Waybill.
 *
 * <pre>
 *   WaybillExtension ── one server per JVM ── one template per class ── one database and one broker per test
 *          │
 *          ▼
 *   TestWaybill ── outbox, data source, broker
 *          ├─ publish()              what is committed now goes to the broker
 *          ├─ consumer(…).handleAll()  what is at the broker now is handled
 *          ├─ appended(), scheduled(), published(…), handled(…), deadLettered(…), held()
 *          └─ time()                 makes due what waits for a time
 * </pre>
 *
 * <p>Nothing is simulated but time and broker: the database is PostgreSQL, relay and consumer are the real ones.
 * A call returns when its promise is kept, so that tests neither sleep nor poll.
 */
@NullMarked
package dev.waybill.test;

import org.jspecify.annotations.NullMarked;
