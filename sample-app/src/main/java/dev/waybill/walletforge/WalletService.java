package dev.waybill.walletforge;

import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.SubjectHandlers;
import dev.waybill.relay.Relay;
import dev.waybill.walletforge.analytics.DailyTotals;
import dev.waybill.walletforge.archive.LedgerArchive;
import dev.waybill.walletforge.fraud.FraudDesk;
import dev.waybill.walletforge.http.Api;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Ledger;
import dev.waybill.walletforge.notification.Mailer;
import dev.waybill.walletforge.notification.Notifications;
import dev.waybill.walletforge.payment.Payments;
import dev.waybill.walletforge.servicebus.Entities;
import dev.waybill.walletforge.standingorder.StandingOrders;
import dev.waybill.walletforge.statement.Statements;
import dev.waybill.walletforge.transfer.Transfers;
import io.javalin.Javalin;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** WalletForge, put together: relay, consumers, collector of dead letters and HTTP API. */
public final class WalletService {
    private static final int SESSIONS = 16;
    // Longer than any statement waits to be read, its dead letter included.
    private static final Duration KEEP_BODIES = Duration.ofDays(42);

    private WalletService() {}

    /**
     * A relay for all that the service sends, not started: here, or in a process of its own.
     *
     * @param deadline of a send; what is acknowledged later is sent again
     */
    public static Relay.Builder relay(Installation installation, Duration deadline) {
        return Relay.builder(installation.dataSource())
                .schema(installation.schemas().waybill())
                .destination(Entities.WALLET_TX)
                .destination(Entities.WALLET_EVENTS)
                .destination(Entities.STATEMENTS)
                .claims(installation.claims(), KEEP_BODIES)
                .publisher(installation.bus().publisher(deadline));
    }

    /** All consumers, the ledger's first; {@code around} goes around its handler. */
    public static List<InboxConsumer.Builder> consumers(
            Installation installation, Mailer mailer, UnaryOperator<Handler> around) {
        // An unreadable payment becomes a dead letter, and later ones pass it by: each is judged alone.
        // Where a message makes no sense without the one before: onFailure(OnFailure.HOLD_SESSION).
        var queue = installation.bus().queue(Entities.WALLET_TX);
        return List.of(
                installation
                        .consumer(Ledger.CONSUMER, queue.withSessions(), around.apply(ledger(installation)))
                        .concurrency(SESSIONS),
                FraudDesk.consumer(installation),
                Notifications.consumer(installation, mailer),
                new LedgerArchive(installation).consumer(),
                DailyTotals.consumer(installation),
                new Statements(installation).consumer());
    }

    /** What the ledger does with the messages of {@code wallet-tx}. */
    public static Handler ledger(Installation installation) {
        var handlers = SubjectHandlers.builder().otherwise(SubjectHandlers.REFUSE);
        new Payments(installation).addTo(handlers);
        new Transfers(installation).addTo(handlers);
        new StandingOrders(installation).addTo(handlers);
        return handlers.build();
    }

    /** Collects what the ledger cannot read, before the broker lets go of it. */
    public static DeadLetterCollector collector(Installation installation) {
        return DeadLetterCollector.start(
                installation.dataSource(),
                installation.schemas().waybill(),
                List.of(installation.bus().deadLetters()));
    }

    /** A server with the API, not started. */
    public static Javalin api(Installation installation) {
        var server = Javalin.create(config -> {
            config.showJavalinBanner = false;
            config.startupWatcherEnabled = false;
            config.http.maxRequestSize = 64 * 1024;
        });
        new Api(installation).addTo(server);
        return server;
    }
}
