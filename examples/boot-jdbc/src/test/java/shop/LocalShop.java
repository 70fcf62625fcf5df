package shop;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;

/** Runs the shop on a developer's machine, with both servers in its process; they are empty at each start. */
class LocalShop {
    public static void main(String[] args) {
        EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.requiresSession())
                .queue("audits")
                .start();
        System.setProperty("spring.datasource.url", PostgresServer.embedded().jdbcUrl());
        System.setProperty("waybill.servicebus.connection-string", bus.connectionString());
        ShopApplication.main(args);
    }
}
