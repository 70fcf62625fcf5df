package dev.waybill.inbox.run;

import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.Retention;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.inbox.connect.AnswerLimit;
import dev.waybill.inbox.connect.Database;
import dev.waybill.inbox.connect.LimitedConnections;
import dev.waybill.inbox.defer.DeferralTable;
import dev.waybill.inbox.defer.ForgottenTurn;
import dev.waybill.inbox.defer.ResumptionTurn;
import dev.waybill.inbox.event.HoldCount;
import dev.waybill.inbox.event.MessageEvents;
import dev.waybill.inbox.handle.BatchProcessor;
import dev.waybill.inbox.handle.BodyClaiming;
import dev.waybill.inbox.handle.InPlaceRetry;
import dev.waybill.inbox.handle.MessageProcessor;
import dev.waybill.inbox.handle.MessageSequence;
import dev.waybill.inbox.heartbeat.ConsumerHeartbeat;
import dev.waybill.inbox.heartbeat.CrashCounter;
import dev.waybill.inbox.hold.HoldTurn;
import dev.waybill.inbox.lock.EntityLock;
import dev.waybill.inbox.lock.Fences;
import dev.waybill.inbox.lock.Fencing;
import dev.waybill.inbox.lock.InFlightWork;
import dev.waybill.inbox.lock.SessionLock;
import dev.waybill.inbox.lock.StatementCanceller;
import dev.waybill.inbox.lock.WorkerClock;
import dev.waybill.inbox.receive.ContainedHook;
import dev.waybill.inbox.receive.ReceiverTurn;
import dev.waybill.inbox.receive.Reception;
import dev.waybill.inbox.receive.ResumeTurn;
import dev.waybill.inbox.receive.SessionAcceptance;
import dev.waybill.inbox.receive.SessionOpening;
import dev.waybill.inbox.record.BatchInsert;
import dev.waybill.inbox.record.ContentChecksum;
import dev.waybill.inbox.record.InboxInsert;
import dev.waybill.inbox.record.RecordStatements;
import dev.waybill.inbox.record.Recorder;
import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.inbox.settle.FailureHandling;
import dev.waybill.inbox.settle.FallbackDisposal;
import dev.waybill.inbox.settle.HoldWriter;
import dev.waybill.inbox.settle.SessionCloses;
import dev.waybill.inbox.transaction.BatchTransaction;
import dev.waybill.inbox.transaction.DatabaseGate;
import dev.waybill.inbox.transaction.InboxTransaction;
import dev.waybill.inbox.transaction.MessageTransactions;
import dev.waybill.schema.IdleLimit;
import dev.waybill.schema.SchemaName;
import dev.waybill.supervision.BoundedConnections;
import dev.waybill.supervision.BoundedWaits;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

final class ConsumerParts {
    /** Between the handler's timeout and that of its transaction: the watchdog interrupts and cuts the handler before. */
    private static final Duration IDLE_MARGIN = Duration.ofSeconds(15);

    /** Longer than any lock, for entities without locks. */
    private static final Duration NO_LOCK = Duration.ofDays(3_650);

    final ReceiverTurn receivers;
    final HoldTurn holds;
    final ResumeTurn resumes;
    final ResumptionTurn resumptions;
    final ForgottenTurn forgotten;
    final ConsumerHeartbeat heartbeat;
    final DatabaseGate gate;
    final @Nullable CleanUp cleanUp;
    final MessageEvents events;
    final Reception reception;

    private final ConsumerSettings settings;
    private final ConsumerSettings.Application application;
    private final SchemaName schema;
    private final String consumer;
    private final EntityDescription facts;
    private final WorkerClock clock;
    private final StatementCanceller cut;
    private final EntityLock entityLock;
    final MessageTransactions transactions;
    private final Database database;

    final HoldCount holdCount;

    private final DataSource pool;

    /** Limits waits for connections during a stop. */
    final BoundedWaits waits = new BoundedWaits();

    ConsumerParts(ConsumerSettings given, WorkerClock clock) {
        application = given.application();
        schema = given.store().schema();
        consumer = given.store().consumer();
        this.facts = application.source().facts();
        this.clock = clock;
        reception = new Reception(consumer, clock);
        holdCount = new HoldCount(consumer);
        var limit = AnswerLimit.of(given.longestAnswer(facts));
        pool = new BoundedConnections(given.store().dataSource(), waits);
        var limited = new LimitedConnections(pool, limit);
        DSLContext dsl = schema.in(IdleLimit.of(limit.longestIdle(), DSL.using(limited, SQLDialect.POSTGRES)));
        database = new Database(pool, limit);
        events = MessageEvents.of(given, database, holdCount, clock);
        settings = given.with(new ConsumerSettings.Hooks(
                events, new ContainedHook(given.hooks().session(), clock)));
        cut = new StatementCanceller(database);
        entityLock = new EntityLock(facts.path(), facts.lockDuration());
        transactions = transactions(limit);
        var claiming = BodyClaiming.of(application);
        gate = new DatabaseGate(pool, limit, events);
        heartbeat = new ConsumerHeartbeat(database, schema, consumer, facts.path(), settings.longestAttempt());
        var insert = InboxInsert.bounded(schema, settings.lockTimeout(facts));
        var fencing = new Fencing(database, schema, consumer, settings.lockTimeout(facts));
        var deferrals = new DeferralTable(database, schema, consumer, fencing);
        var tries = new InPlaceRetry(new InboxTransaction(transactions, claiming), settings, gate, clock);
        var lock = sessionLock(settings.lockTimeout(facts));
        var checksum = new ContentChecksum(application.codec() == null);
        var plain = InboxInsert.plain(schema, checksum);
        var recording = new RecordStatements(schema, consumer, lock, plain);
        var arrived = Recorder.ofReceived(recording, insert, consumer, deferrals);
        var crashes = new CrashCounter(
                database, schema, consumer, settings.policies().deliveries().maxStarts(), heartbeat);
        var closes = new SessionCloses(fencing, schema, consumer, facts.path());
        var holding = new HoldWriter(dsl, schema, insert, fencing, consumer);
        var disposal = new FailureHandling(facts, settings, events, holding, closes, deferrals);
        var fallback = new FallbackDisposal(facts, settings, events, closes, gate, clock);
        var messages = new MessageProcessor(tries, arrived, disposal, crashes, fallback, events);
        var run = new MessageSequence(messages, transactions, crashes, !facts.deletesOnReceive(), clock);
        var all = new BatchInsert(database, schema, consumer, lock, plain);
        var together = new BatchTransaction(transactions, all, recording, arrived, claiming);
        var batches = new BatchProcessor(together, run, crashes, settings);
        var acceptance = acceptance(application.source());
        var opening = new SessionOpening(settings, facts, messages, disposal, closes, clock);
        resumes = new ResumeTurn(acceptance, messages, deferrals, opening, settings, clock);
        receivers = new ReceiverTurn(acceptance, batches, resumes, opening, settings, clock);
        resumptions = new ResumptionTurn(database, settings);
        forgotten = new ForgottenTurn(dsl, database, settings);
        @Nullable Retention retention = settings.store().retention();
        cleanUp = retention == null ? null : new CleanUp(database, schema, consumer, retention);
        holds = new HoldTurn(dsl, deferrals, settings, facts, held(insert, deferrals, tries), clock);
    }

    private SessionAcceptance acceptance(MessageSource source) {
        return new SessionAcceptance(source, new Fences(database, schema, consumer, facts.path()), gate, reception);
    }

    private MessageTransactions transactions(AnswerLimit limit) {
        @Nullable TransactionBoundary boundary = application.boundary();
        if (boundary == null) {
            return MessageTransactions.own(pool, limit, settings);
        }
        Duration longest = settings.longestTransaction(facts, IDLE_MARGIN);
        TransactionBoundary bounded =
                atMost -> waits.<TransactionBoundary.Transaction, Exception>during(() -> boundary.begin(atMost));
        return MessageTransactions.of(bounded, database, limit, settings, longest);
    }

    private HoldTurn.Opening held(InboxInsert insert, DeferralTable deferrals, InPlaceRetry tries) {
        Duration lockTimeout = settings.lockTimeout(facts);
        boolean shorter = lockTimeout.compareTo(HoldTurn.LONGEST_LOCK_WAIT) < 0;
        SessionLock lock = sessionLock(shorter ? lockTimeout : HoldTurn.LONGEST_LOCK_WAIT);
        var recording = new RecordStatements(schema, consumer, lock, insert);
        return new HoldTurn.Opening(Recorder.ofReceived(recording, insert, consumer, deferrals), tries, holdCount);
    }

    private SessionLock sessionLock(Duration lockTimeout) {
        Duration idle = settings.times().handlerTimeout().plus(IDLE_MARGIN);
        var lock = new SessionLock(schema, consumer, lockTimeout, idle);
        return facts.sessions() ? lock : lock.withoutSessions();
    }

    WorkerClock clock() {
        return clock;
    }

    InFlightWork newWork() {
        return new InFlightWork(limits(), clock, cut);
    }

    private InFlightWork.Limits limits() {
        boolean lockless = facts.deletesOnReceive() && !facts.sessions();
        Duration handler = settings.times().handlerTimeout();
        // The last attempt in place may begin just before its time is over.
        Duration worstCase =
                settings.policies().retries().maxInPlace().plus(handler).plus(facts.lockDuration());
        return new InFlightWork.Limits(
                handler,
                lockless ? new EntityLock(facts.path(), NO_LOCK) : entityLock,
                worstCase,
                Duration.ofSeconds(1));
    }
}
