/**
 * Tests of services of Spring Boot's.
 *
 * <pre>
 *   &#64;WaybillTest ── WaybillTestCustomizer ── a database and a broker, there before the context
 *        │
 *        ▼
 *   context of the service, relay and consumers at rest
 *        ├─ TestWaybill        publish(), appended(), published(…), handled(…)
 *        └─ ServiceConsumers   of("billing").handleAll()
 * </pre>
 *
 * <p>Beside it, connection details for {@code @ServiceConnection} of Microsoft's emulator in a container, and for
 * a bean of type {@code EmbeddedServiceBus}.
 */
@NullMarked
package dev.waybill.spring.test;

import org.jspecify.annotations.NullMarked;
