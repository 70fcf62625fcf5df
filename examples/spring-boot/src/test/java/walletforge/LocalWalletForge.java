package walletforge;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;

/**
 * Runs WalletForge on a developer's machine, with both servers in its process; they are empty at each start:
 *
 * <pre>{@code
 * mvn spring-boot:test-run -Dspring-boot.run.main-class=walletforge.LocalWalletForge
 * curl -X PUT localhost:8080/wallets/anna
 * curl localhost:8080/payments -H 'Idempotency-Key: p-1' -H 'Content-Type: application/json' \
 *      -d '{"wallet": "anna", "cents": 500}'
 * curl localhost:8080/wallets/anna
 * }</pre>
 */
class LocalWalletForge {
    public static void main(String[] args) {
        EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                .queue("wallet-tx", queue -> queue.requiresSession())
                .topic(
                        "wallet-events",
                        topic -> topic.subscription("statements", each -> each.requiresSession())
                                .subscription("fraud", each -> each.requiresSession()))
                .start();
        System.setProperty("spring.datasource.url", PostgresServer.embedded().jdbcUrl());
        System.setProperty("waybill.servicebus.connection-string", bus.connectionString());
        WalletForge.main(args);
    }
}
