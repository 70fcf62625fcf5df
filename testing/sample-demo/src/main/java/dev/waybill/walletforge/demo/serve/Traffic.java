package dev.waybill.walletforge.demo.serve;

import dev.waybill.walletforge.installation.Installation;
import dev.waybill.walletforge.ledger.Kind;
import dev.waybill.walletforge.payment.Payment;
import dev.waybill.walletforge.payment.Payments;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Payments of one sender at a steady rate, so that there is something to see. */
final class Traffic implements AutoCloseable {
    static final int WALLETS = 12;

    private final Installation installation;
    private final Payments payments;
    private final Random random = new Random(1);
    private final AtomicLong refused = new AtomicLong();
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();

    private Traffic(Installation installation) {
        this.installation = installation;
        payments = new Payments(installation);
    }

    static Traffic start(Installation installation, int perSecond) {
        var traffic = new Traffic(installation);
        if (perSecond > 0) {
            long micros = 1_000_000 / perSecond;
            var unused = traffic.sender.scheduleAtFixedRate(traffic::send, micros, micros, TimeUnit.MICROSECONDS);
        }
        return traffic;
    }

    /** How many payments the database did not take: their sender knows, so they are not lost. */
    long refused() {
        return refused.get();
    }

    private void send() {
        var payment = new Payment(
                UUID.randomUUID().toString(),
                "wallet-" + (1 + random.nextInt(WALLETS)),
                random.nextInt(5) < 3 ? Kind.CREDIT : Kind.DEBIT,
                1 + random.nextInt(10_000));
        try {
            installation.dsl().transaction(tx -> payments.accept(tx.dsl(), payment));
        } catch (RuntimeException e) {
            refused.incrementAndGet();
        }
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
