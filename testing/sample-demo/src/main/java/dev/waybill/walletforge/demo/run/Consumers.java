package dev.waybill.walletforge.demo.run;

import dev.waybill.inbox.Handler;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.walletforge.WalletService;
import dev.waybill.walletforge.demo.servicebus.Bus;
import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.notification.Mailer;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The service's consumers, of which the ledger's is watched. */
record Consumers(List<InboxConsumer> consumers) implements AutoCloseable {
    // A run ends when nothing is under way any more; what waits then only waits for a next session.
    private static final Duration DRAIN = Duration.ofSeconds(1);

    // A transfer waits for its confirmation to be resumed.
    private static final Duration POLL = Duration.ofMillis(200);

    static Consumers of(Installation installation, Bus bus, Mailer mailer, UnaryOperator<Handler> around) {
        var builders = WalletService.consumers(installation, mailer, around);
        builders.get(0).listener(bus.listener());
        return new Consumers(builders.stream()
                .map(builder -> builder.tuning(tuning -> tuning.drain(DRAIN).backgroundPollInterval(POLL))
                        .build())
                .toList());
    }

    void start() {
        consumers.forEach(InboxConsumer::start);
    }

    @Override
    public void close() {
        consumers.parallelStream().forEach(InboxConsumer::close);
    }
}
