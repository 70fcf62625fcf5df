package dev.waybill.inbox;

import dev.waybill.schema.IdleLimit;
import dev.waybill.supervision.BoundedConnections;
import dev.waybill.supervision.BoundedWaits;
import java.time.Duration;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The parts of a consumer, put together. */
final class ConsumerParts {
    /**
     * Between the end of a handler's time and that of its transaction: the handler is interrupted and cut off
     * before.
     */
    private static final Duration IDLE_MARGIN = Duration.ofSeconds(15);

    final ReceiverTurn receivers;
    final HoldTurn holds;
    final ResumeTurn resumes;
    final ResumptionTurn resumptions;
    final ForgottenTurn forgotten;
    final Instances instances;
    final DatabaseGate gate;
    final @Nullable CleanUp cleanUp;
    private final ConsumerSettings settings;
    private final EntityDescription facts;
    private final Pace pace;
    private final StatementCanceller cut;
    private final EntityLock entityLock;
    final MessageTransactions transactions;
    private final Database database;

    /** How many messages go into holds and leave them. */
    final HoldCount holdCount;

    private final DataSource pool;

    /** For connections, which a stop makes short. */
    final BoundedWaits waits = new BoundedWaits();

    ConsumerParts(ConsumerSettings settings, MessageSource source, Handler handler, Pace pace) {
        this.settings = settings;
        this.facts = source.facts();
        this.pace = pace;
        holdCount = new HoldCount(settings.name);
        settings.sessionHook = new ContainedHook(settings.sessionHook, pace);
        var limit = AnswerLimit.of(settings.longestAnswer(facts));
        pool = new BoundedConnections(settings.dataSource, waits);
        var limited = new LimitedConnections(pool, limit);
        DSLContext dsl = settings.schema.in(IdleLimit.of(limit.longestIdle(), DSL.using(limited, SQLDialect.POSTGRES)));
        database = new Database(pool, limit);
        settings.events = MessageEvents.before(
                new ContainedListener(settings.listener, holdCount, pace),
                new EventInsert(database, settings.schema, settings.name, facts.path()),
                System::nanoTime);
        settings.listener = settings.events;
        cut = new StatementCanceller(database);
        entityLock = new EntityLock(facts.path(), facts.lockDuration());
        transactions = transactions(limit);
        var claiming = new BodyClaiming(decoding(handler), settings.claims);
        gate = new DatabaseGate(pool, limit, settings.listener);
        instances = new Instances(database, settings.schema, settings.name, settings.longestAttempt());
        var insert = InboxInsert.bounded(settings.schema, settings.lockTimeout(facts));
        var fencing = new Fencing(database, settings.schema, settings.name, settings.lockTimeout(facts));
        var deferrals = new DeferralTable(database, settings.schema, settings.name, fencing);
        var tries = new InPlaceRetry(new InboxTransaction(transactions, claiming), settings, gate, pace);
        var lock = sessionLock(settings.lockTimeout(facts));
        var admitting = new Admitting(settings.schema, settings.name, lock, InboxInsert.plain(settings.schema));
        var arrived = new BrokerAdmitter(admitting, insert, settings.name, deferrals);
        var starts = new Starts(database, settings.schema, settings.name, settings.deliveries.maxStarts(), instances);
        var closes = new SessionCloses(fencing, settings.schema, settings.name, facts.path());
        var holding = new HoldWriter(dsl, settings.schema, insert, fencing, settings.name);
        var disposal = new FailureHandling(facts, settings, holding, closes, deferrals);
        var lastResort = new LastResort(facts, settings, closes, gate, pace);
        var messages = new MessageProcessor(tries, arrived, disposal, starts, lastResort, settings.listener);
        var run = new MessageSequence(messages, starts, !facts.deletesOnReceive(), pace);
        var all = new BatchInsert(database, settings.schema, settings.name, lock);
        var together = new BatchTransaction(transactions, all, admitting, arrived, claiming);
        var batches = new BatchProcessor(together, run, starts, settings);
        var acceptance = acceptance(source);
        var opening = new SessionOpening(settings, facts, messages, disposal, closes, pace);
        resumes = new ResumeTurn(acceptance, messages, deferrals, opening, settings, pace);
        receivers = new ReceiverTurn(acceptance, batches, resumes, opening, settings, pace);
        resumptions = new ResumptionTurn(new Resumptions(settings.schema), database, settings);
        forgotten = new ForgottenTurn(dsl, database, settings);
        cleanUp = settings.retention == null
                ? null
                : new CleanUp(database, settings.schema, settings.name, settings.retention);
        holds = new HoldTurn(dsl, deferrals, settings, facts, held(insert, tries), pace);
    }

    private Handler decoding(Handler handler) {
        return settings.codec == null ? handler : new BodyDecoding(handler, settings.codec);
    }

    private SessionAcceptance acceptance(MessageSource source) {
        return new SessionAcceptance(source, new Fences(database, settings.schema, settings.name, facts.path()), gate);
    }

    private MessageTransactions transactions(AnswerLimit limit) {
        @Nullable TransactionBoundary boundary = settings.boundary;
        if (boundary == null) {
            return new OwnTransactions(new HandlerConnections(pool, limit, settings.concurrency));
        }
        var insert = InboxInsert.bounded(settings.schema, settings.lockTimeout(facts));
        var ids = new CommittedIds(database, insert, settings.name);
        var terms = new BoundaryTransactions.Admitter(ids, limit, settings.outsideWork);
        Duration longest = settings.longestTransaction(facts, IDLE_MARGIN);
        TransactionBoundary bounded =
                atMost -> waits.<TransactionBoundary.Transaction, Exception>during(() -> boundary.begin(atMost));
        return new BoundaryTransactions(bounded, new BoundaryProbe(database), terms, longest, settings.concurrency);
    }

    private HoldTurn.Opening held(InboxInsert insert, InPlaceRetry tries) {
        Duration lockTimeout = settings.lockTimeout(facts);
        boolean shorter = lockTimeout.compareTo(HoldTurn.LONGEST_LOCK_WAIT) < 0;
        SessionLock lock = sessionLock(shorter ? lockTimeout : HoldTurn.LONGEST_LOCK_WAIT);
        return new HoldTurn.Opening(
                new Admitting(settings.schema, settings.name, lock, insert), insert, tries, holdCount);
    }

    private SessionLock sessionLock(Duration lockTimeout) {
        Duration idle = settings.handlerTimeout.plus(IDLE_MARGIN);
        var lock = new SessionLock(settings.schema, settings.name, lockTimeout, idle);
        return facts.sessions() ? lock : lock.withoutSessions();
    }

    Pace pace() {
        return pace;
    }

    /** A worker's own. */
    Work newWork() {
        return new Work(settings.limits(facts, entityLock), pace, cut);
    }
}
