package dev.waybill.proof.role;

import dev.waybill.deadletter.DeadLetter;
import dev.waybill.deadletter.DeadLetterCollector;
import dev.waybill.deadletter.DeadLetterFilter;
import dev.waybill.deadletter.DeadLetters;
import dev.waybill.deadletter.RedriveRequest;
import dev.waybill.deadletter.Redrives;
import dev.waybill.deadletter.servicebus.ServiceBusDeadLetters;
import dev.waybill.hold.AuditContext;
import dev.waybill.hold.HeldMessage;
import dev.waybill.hold.Hold;
import dev.waybill.hold.HoldFilter;
import dev.waybill.hold.Holds;
import dev.waybill.inbox.Deferral;
import dev.waybill.inbox.Deferrals;
import dev.waybill.inbox.InboxHolds;
import dev.waybill.schema.SchemaName;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Collects dead letters, and plays the operator: cures what was poison, releases holds or skips their first message, re-drives
 * dead letters, resumes what was deferred, and ends prepared transactions that nobody ends. Each deed is noted behind it, for the
 * audit must have them all.
 */
final class OperatorRole implements AutoCloseable {
    private static final SchemaName SCHEMA = SchemaName.DEFAULT;
    private static final AuditContext BY = new AuditContext("operator", "the proof");
    private static final int MOST = 200;

    private final DSLContext dsl;
    private final Holds inbox;
    private final Holds outbox;
    private final DeadLetters letters;
    private final Redrives redrives;
    private final DeadLetterCollector collector;
    private final SplittableRandom random;
    private final Thread thread = new Thread(this::work, "operator");
    private volatile boolean ended;

    private OperatorRole(DataSource pool, DeadLetterCollector collector, SplittableRandom random) {
        this.dsl = DSL.using(pool, SQLDialect.POSTGRES);
        this.inbox = InboxHolds.in(pool, SCHEMA);
        this.outbox = Holds.ofOutbox(pool, SCHEMA);
        this.letters = DeadLetters.in(pool, SCHEMA);
        this.redrives = Redrives.in(pool, SCHEMA);
        this.collector = collector;
        this.random = random;
    }

    static AutoCloseable start(Terms terms, DataSource pool) {
        var queues = new ArrayList<ServiceBusDeadLetters>();
        for (Consumers consumer : Consumers.values()) {
            queues.add(ServiceBusDeadLetters.ofSubscription(
                    () -> new com.azure.messaging.servicebus.ServiceBusClientBuilder()
                            .connectionString(terms.serviceBus()),
                    Terms.DESTINATION,
                    consumer.consumerName()));
        }
        var collector = DeadLetterCollector.start(pool, SCHEMA, queues);
        var role = new OperatorRole(pool, collector, new SplittableRandom(terms.number("seed")));
        role.thread.start();
        return role;
    }

    private void work() {
        List<Deed> deeds = List.of(
                this::releaseRefused, this::cureHolds, this::redriveLetters, this::resumeDeferred, this::endPrepared);
        while (!ended) {
            for (Deed deed : deeds) {
                attempt(deed);
            }
            rest();
        }
    }

    private void attempt(Deed deed) {
        try {
            deed.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (SQLException | RuntimeException e) {
            System.err.println("operator: " + e);
        }
    }

    private void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1_000));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void releaseRefused() {
        for (Hold hold : outbox.page(HoldFilter.parked(), 0, MOST).rows()) {
            outbox.release(hold.key(), BY);
            note("release", "outbox " + hold.key());
        }
    }

    private void cureHolds() {
        for (Hold hold : inbox.page(HoldFilter.parked(), 0, MOST).rows()) {
            List<HeldMessage> first = inbox.messages(hold.key(), 1);
            if (first.isEmpty()) {
                continue;
            }
            String id = first.get(0).content().messageId();
            if (random.nextInt(8) == 0) {
                dsl.execute(
                        "insert into skipped values ({0}, {1}) on conflict do nothing",
                        hold.key().scope(), id);
                inbox.skip(hold.key(), first.get(0).place(), BY);
                note("skip", id);
            } else {
                cure(dsl, hold.key().scope(), id);
            }
            inbox.release(hold.key(), BY);
            note("release", "inbox " + hold.key());
        }
    }

    private void redriveLetters() throws InterruptedException {
        for (Consumers consumer : Consumers.values()) {
            String name = consumer.consumerName();
            DeadLetterFilter open = DeadLetterFilter.open().entity(Terms.DESTINATION + "/Subscriptions/" + name);
            List<DeadLetter> found = letters.list(open, 0, MOST);
            if (found.isEmpty()) {
                continue;
            }
            found.forEach(letter -> cure(dsl, name, letter.content().messageId()));
            var ids = DeadLetterFilter.ids(found.stream().map(DeadLetter::id).toList());
            var request = random.nextBoolean() ? RedriveRequest.toSource() : RedriveRequest.toConsumer(name);
            redrives.redrive(ids, request, BY);
            note("redrive", name);
        }
    }

    private void resumeDeferred() {
        String consumer = Consumers.NOTIFY.consumerName();
        var deferrals = Deferrals.in(SCHEMA);
        for (Deferral deferral : deferrals.olderThan(dsl, consumer, Duration.ofMillis(random.nextInt(3_000)))) {
            if (deferral.resumeAt() == null) {
                dsl.transaction(tx -> {
                    cure(tx.dsl(), consumer, deferral.deferKey());
                    deferrals.resume(tx.dsl(), consumer, deferral.deferKey());
                });
            }
        }
    }

    private void endPrepared() {
        dsl.fetch("select gid from pg_prepared_xacts where gid like 'proof-%' and prepared < now() - interval '5 s'")
                .forEach(row -> dsl.execute((random.nextBoolean() ? "commit" : "rollback") + " prepared '"
                        + row.get(0, String.class) + "'"));
    }

    private static void cure(DSLContext dsl, String consumer, String id) {
        dsl.execute("insert into cured values ({0}, {1}) on conflict do nothing", consumer, id);
    }

    private void note(String verb, String subject) {
        dsl.execute("insert into operator_deed (verb, subject) values ({0}, {1})", verb, subject);
    }

    @Override
    public void close() {
        ended = true;
        collector.close();
    }

    private interface Deed {
        void run() throws SQLException, InterruptedException;
    }
}
