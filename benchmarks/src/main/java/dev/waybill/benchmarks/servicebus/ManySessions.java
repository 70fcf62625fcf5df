package dev.waybill.benchmarks.servicebus;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.benchmarks.environment.Backlog;
import dev.waybill.benchmarks.environment.Environment;
import dev.waybill.benchmarks.environment.OutboxSchema;
import dev.waybill.benchmarks.inbox.Ledger;
import dev.waybill.benchmarks.measure.Report;
import dev.waybill.benchmarks.measure.Scale;
import dev.waybill.benchmarks.measure.Spread;
import dev.waybill.benchmarks.measure.Stopwatch;
import dev.waybill.benchmarks.measure.Target;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.Cause;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.HoldKey;
import dev.waybill.hold.HoldSide;
import dev.waybill.hold.HoldTable;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.InboundMessage;
import dev.waybill.inbox.InboxConsumer;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.inbox.Verdict;
import dev.waybill.message.MessageContent;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.journal.EntityJournal;
import dev.waybill.servicebus.receiver.ServiceBusSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** Many sessions with one message each: how fast a consumer changes from one to the next, and how fast holds go when released. */
final class ManySessions {
    private static final int CONCURRENCY = 16;
    private static final int SPARE_CONNECTIONS = 8;
    private static final double SESSIONS_TARGET = 300;
    private static final double HOLDS_TARGET = 200;
    private static final double DELIVERIES_TARGET = 1.02;
    private static final int MESSAGES_OF_SESSION = 5;
    private static final String CONSUMER = "ledger";

    private final OutboxSchema schema;
    private final DataSource pool;
    private final Ledger ledger;

    private ManySessions(OutboxSchema schema) {
        this.schema = schema;
        pool = schema.pool("sessions", CONCURRENCY + SPARE_CONNECTIONS);
        ledger = new Ledger(schema);
    }

    static void measure(Environment environment, Scale scale, Report report) throws Exception {
        try (OutboxSchema schema = environment.newSchema()) {
            var sides = new ManySessions(schema);
            int rounds = scale.choose(3, 3, 1);
            int sessions = scale.choose(10_000, 3_000, 100);
            int holds = scale.choose(5_000, 1_500, 50);
            var taken = new ArrayList<Double>();
            var released = new ArrayList<Double>();
            var deliveries = new ArrayList<Double>();
            for (int round = 0; round < rounds; round++) {
                taken.add(sides.sessions(sessions));
                released.add(sides.holds(holds));
                deliveries.add(sides.deliveries(sessions / MESSAGES_OF_SESSION));
            }
            report.note(sessions + " sessions, and " + holds + " parked sessions, with one message each, concurrency "
                    + CONCURRENCY + ", all else by default");
            report.note("deliveries: " + sessions / MESSAGES_OF_SESSION + " sessions with " + MESSAGES_OF_SESSION
                    + " messages each, by the broker's own count");
            report.figure("deliveriesPerMessage", Spread.of(deliveries), Target.atMost(DELIVERIES_TARGET));
            report.figure("sessionsPerSecond", Spread.of(taken), Target.atLeast(SESSIONS_TARGET));
            report.figure("releasedHoldsPerSecond", Spread.of(released), Target.atLeast(HOLDS_TARGET));
        }
    }

    private double sessions(int sessions) throws Exception {
        ledger.clear();
        var load = new SessionLoad(sessions, 1);
        try (EmbeddedServiceBus bus = load.start()) {
            var done = new CountDownLatch(sessions);
            try (InboxConsumer consumer = consumer(bus, done)) {
                var watch = Stopwatch.start();
                consumer.start();
                await(done);
                double rate = watch.rate(sessions);
                ledger.requireRows(sessions, sessions);
                return rate;
            }
        }
    }

    private double deliveries(int sessions) throws Exception {
        ledger.clear();
        var load = new SessionLoad(sessions, MESSAGES_OF_SESSION);
        try (EmbeddedServiceBus bus = load.startCounting()) {
            var done = new CountDownLatch(load.messages());
            try (InboxConsumer consumer = consumer(bus, done)) {
                consumer.start();
                await(done);
            }
            return deliveriesPerMessage(bus.journal(Backlog.DESTINATION), load);
        }
    }

    private static double deliveriesPerMessage(EntityJournal journal, SessionLoad load) {
        if (journal.forgotten() > 0) {
            throw new IllegalStateException("The journal has forgotten " + journal.forgotten() + " records");
        }
        return (double) journal.deliveryCount() / load.messages();
    }

    private double holds(int holds) throws Exception {
        ledger.clear();
        try (EmbeddedServiceBus bus = BenchQueue.start()) {
            park(holds);
            var done = new CountDownLatch(holds);
            try (InboxConsumer consumer = consumer(bus, done)) {
                consumer.start();
                var watch = Stopwatch.start();
                InboxHolds.in(pool, schema.name())
                        .release(HoldFilter.parked(), new AuditContext("benchmark", "the bug is fixed"));
                await(done);
                double rate = watch.rate(holds);
                ledger.requireRows(holds, holds);
                return rate;
            }
        }
    }

    private void park(int holds) {
        var table = HoldTable.in(schema.name(), HoldSide.INBOX);
        schema.dsl().transaction(tx -> {
            for (int i = 0; i < holds; i++) {
                var key = HoldKey.session(HoldSide.INBOX, CONSUMER, "account-" + i);
                long hold = table.park(tx.dsl(), key, new Cause("Bug", "a bug"));
                var origin = new HeldMessage.Origin(i, Instant.EPOCH, 1);
                table.add(tx.dsl(), hold, origin, MessageContent.of("debit-" + i, "account-" + i, Backlog.payload()));
            }
        });
    }

    private static void await(CountDownLatch done) throws InterruptedException, TimeoutException {
        if (!done.await(InboxBenchmark.PATIENCE_MINUTES, TimeUnit.MINUTES)) {
            throw new TimeoutException(done.getCount() + " messages were not handled");
        }
    }

    private InboxConsumer consumer(EmbeddedServiceBus bus, CountDownLatch done) {
        return InboxConsumer.builder(pool)
                .schema(schema.name())
                .name(CONSUMER)
                .source(ServiceBusSource.ofQueue(
                                () -> new ServiceBusClientBuilder().connectionString(bus.connectionString()),
                                Backlog.DESTINATION)
                        .withSessions())
                .handler((tx, message) -> {
                    ledger.write(tx, message.session().orElse(""), message.id());
                    return Verdict.done();
                })
                .listener(new ConsumerListener() {
                    @Override
                    public void settled(InboundMessage message, Outcome outcome) {
                        done.countDown();
                    }
                })
                .concurrency(CONCURRENCY)
                .build();
    }
}
