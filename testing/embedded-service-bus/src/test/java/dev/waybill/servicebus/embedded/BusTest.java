package dev.waybill.servicebus.embedded;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A broker and its clients, new for every test. */
abstract class BusTest {
    protected EmbeddedServiceBus bus;
    protected Clients clients;

    protected abstract EmbeddedServiceBusBuilder describe();

    @BeforeEach
    void start() {
        bus = describe().start();
        clients = new Clients(bus);
    }

    @AfterEach
    void stop() {
        clients.close();
        bus.close();
    }
}
