package dev.waybill.walletforge.demo.serve;

import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.outbox.OutboxMessage;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.fault.FaultAction;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.Payments;
import dev.waybill.walletforge.servicebus.Entities;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.LoggerFactory;

/** What the buttons do. Each is over by itself after some seconds. Thread-safe. */
final class Disasters implements AutoCloseable {
    static final String POISON = "poison-";
    private static final long LASTING = Duration.ofSeconds(5).toMillis();

    private final Installation installation;
    private final EmbeddedBus bus;
    private final ServedRelay relay;
    private final String jdbcUrl;
    private final boolean ownDatabase;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Disaster> disasters = Map.of(
            "kill-relay", this::killRelay,
            "throttle-broker", this::throttleBroker,
            "poison-payment", this::poisonPayment,
            "take-database", this::takeDatabase,
            "hold-transaction", this::holdTransaction);

    Disasters(Installation installation, EmbeddedBus bus, ServedRelay relay, PostgresServer server) {
        this.installation = installation;
        this.bus = bus;
        this.relay = relay;
        this.jdbcUrl = server.jdbcUrl();
        this.ownDatabase = !server.origin().equals("given");
    }

    /** Begins one; false if there is none of this name, or if it would befall the other users of a given database. */
    boolean begin(String name) {
        boolean spared = name.equals("take-database") && !ownDatabase;
        Disaster disaster = spared ? null : disasters.get(name);
        if (disaster != null) {
            threads.execute(() -> run(name, disaster));
        }
        return disaster != null;
    }

    private static void run(String name, Disaster disaster) {
        try {
            disaster.happen();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            LoggerFactory.getLogger(Disasters.class).warn("{}: {}", name, e.toString());
        }
    }

    private void killRelay() {
        relay.kill();
    }

    private void throttleBroker() throws InterruptedException {
        var busy = bus.faults()
                .at(FaultPoint.BEFORE_STORE)
                .entity(Entities.WALLET_TX)
                .then(FaultAction.reject(BrokerError.SERVER_BUSY));
        try {
            Thread.sleep(LASTING);
        } finally {
            busy.cancel();
        }
    }

    // As a sender of another make would write it. The nightly job knows this mistake.
    private void poisonPayment() {
        String id = POISON + UUID.randomUUID();
        String body =
                "{\"txId\":\"" + id + "\",\"walletId\":\"wallet-1\",\"kind\":\"credit\",\"amountCents\":\"100 cents\"}";
        String insert = "insert into " + installation.table("payment")
                + " (tx_id, wallet_id, kind, amount_cents) values (?, 'wallet-1', 'credit', 100)";
        installation.dsl().transaction(tx -> {
            tx.dsl().execute(insert, id);
            installation
                    .outbox()
                    .append(
                            tx.dsl(),
                            OutboxMessage.to(Entities.WALLET_TX)
                                    .session("wallet-1")
                                    .id(installation.messageId(id))
                                    .subject("WalletCredited")
                                    .json(body)
                                    .build());
        });
    }

    // Everybody is thrown out of the database, and nobody gets in.
    private void takeDatabase() throws SQLException, InterruptedException {
        String name = installation
                .dsl()
                .fetchSingle("select current_database()")
                .get(0, String.class)
                .replace("\"", "\"\"");
        try (var connection = DriverManager.getConnection(Urls.ofDatabase(jdbcUrl, "template1"));
                var statement = connection.createStatement()) {
            statement.execute("alter database \"" + name + "\" with allow_connections false");
            try {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '"
                        + name.replace("'", "''") + "'");
                Thread.sleep(LASTING);
            } finally {
                statement.execute("alter database \"" + name + "\" with allow_connections true");
            }
        }
    }

    private void holdTransaction() {
        var payments = new Payments(installation);
        var payment = new Payment(UUID.randomUUID().toString(), "wallet-2", Kind.CREDIT, 100);
        installation.dsl().transaction(tx -> {
            payments.accept(tx.dsl(), payment);
            Thread.sleep(LASTING);
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    @FunctionalInterface
    private interface Disaster {
        void happen() throws Exception;
    }
}
