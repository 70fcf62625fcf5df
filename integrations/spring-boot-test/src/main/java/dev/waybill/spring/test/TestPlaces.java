package dev.waybill.spring.test;

import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.spring.autoconfigure.WaybillProperties;
import dev.waybill.test.SharedWaybill;
import dev.waybill.test.TestWaybill;
import java.util.List;
import org.springframework.context.Lifecycle;

/** The database and the broker of one context. Closed as its first bean, after all that use them. */
final class TestPlaces implements AutoCloseable {
    private final ServiceEntities entities;
    private final SharedWaybill database;
    private final EmbeddedServiceBus bus;
    private boolean used;

    private TestPlaces(ServiceEntities entities, SharedWaybill database, EmbeddedServiceBus bus) {
        this.entities = entities;
        this.database = database;
        this.bus = bus;
    }

    static TestPlaces start(WaybillProperties properties) {
        var entities = new ServiceEntities(properties);
        try {
            var database = SharedWaybill.start(new SchemaName(properties.schema()));
            EmbeddedServiceBus bus = EmbeddedServiceBus.builder().start();
            entities.createAt(bus);
            return new TestPlaces(entities, database, bus);
        } catch (Exception e) {
            throw new IllegalStateException("The test's database or broker could not be started", e);
        }
    }

    String jdbcUrl() {
        return database.jdbcUrl();
    }

    EmbeddedServiceBus bus() {
        return bus;
    }

    TestWaybill waybill(Outbox outbox) {
        return database.on(bus, outbox);
    }

    /**
     * Removes the messages of the test before, and ends the faults that it has planted at the broker.
     *
     * @param atWork relay and consumers that work in the background, in the order of their start: they rest meanwhile
     */
    synchronized void startAnew(List<Lifecycle> atWork) throws Exception {
        if (used) {
            bus.faults().clear();
            bus.resume();
            for (int i = atWork.size() - 1; i >= 0; i--) {
                atWork.get(i).stop();
            }
            database.startAnew();
            entities.createAnewAt(bus);
            bus.journals().clear();
            atWork.forEach(Lifecycle::start);
        }
        used = true;
    }

    @Override
    public void close() {
        database.close();
        bus.close();
    }
}
