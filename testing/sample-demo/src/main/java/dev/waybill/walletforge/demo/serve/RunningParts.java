package dev.waybill.walletforge.demo.serve;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.postgres.PostgresServer;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.demo.database.FreshSchemas;
import dev.waybill.walletforge.demo.servicebus.EmbeddedBus;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.notification.MailDirectory;
import dev.waybill.walletforge.repair.NightlyJob;
import dev.waybill.walletforge.servicebus.ServiceBusAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/** Database, broker, consumers, collector and nightly job of a service that runs; the relay is apart. */
final class RunningParts implements AutoCloseable {
    private static final int CONNECTIONS = 80;
    private static final int JOURNALED = 1_000_000;
    private static final Duration LOCK = Duration.ofMinutes(1);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    final PostgresServer server;
    final Optional<EmbeddedBus> bus;
    final Installation installation;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    private RunningParts(PostgresServer server, Optional<EmbeddedBus> bus, Installation installation) {
        this.server = server;
        this.bus = bus;
        this.installation = installation;
    }

    /** Starts what is not given. */
    static RunningParts start(Optional<String> jdbcUrl, Optional<ServiceBusAddress> address, Path mails) {
        PostgresServer server = jdbcUrl.map(PostgresServer::at).orElseGet(PostgresServer::embedded);
        Optional<EmbeddedBus> bus =
                address.isPresent() ? Optional.empty() : Optional.of(EmbeddedBus.start(JOURNALED, LOCK, 1));
        HikariDataSource pool = server.newPool(CONNECTIONS);
        var installation = Installation.of(
                pool,
                FreshSchemas.named("wallet_forge"),
                address.orElseGet(() -> bus.orElseThrow().address()));
        var parts = new RunningParts(server, bus, installation);
        server.beforeExit(parts::awaitClosed);
        parts.open.push(server);
        bus.ifPresent(parts.open::push);
        parts.open.push(pool);
        installation.schemas().migrate(pool);
        parts.consume(mails);
        return parts;
    }

    private void consume(Path mails) {
        for (InboxConsumer.Builder consumer :
                WalletService.consumers(installation, new MailDirectory(mails), UnaryOperator.identity())) {
            open.push(consumer.start());
        }
        open.push(WalletService.collector(installation));
    }

    /** Runs the nightly job at this interval. */
    void repairEvery(Duration interval) {
        var job = new NightlyJob(installation);
        var nights = Executors.newSingleThreadScheduledExecutor();
        var unused = nights.scheduleWithFixedDelay(
                () -> run(job), interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
        open.push(nights::shutdownNow);
    }

    // A night that failed must not be the last one.
    private static void run(NightlyJob job) {
        try {
            job.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LoggerFactory.getLogger(RunningParts.class).warn("The nightly job failed: {}", e.toString());
        }
    }

    // Ctrl-C would stop the database beside those that use it.
    private void awaitClosed() {
        try {
            boolean unused = closed.await(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                LoggerFactory.getLogger(RunningParts.class).warn("Not closed: {}", e.toString());
            }
        }
        closed.countDown();
    }
}
