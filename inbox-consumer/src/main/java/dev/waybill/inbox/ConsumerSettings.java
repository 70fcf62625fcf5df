package dev.waybill.inbox;

import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a consumer, and the checks whether they fit together. Not thread-safe; a consumer has its own
 * copy.
 */
final class ConsumerSettings {
    private static final int MOST_CONCURRENT = 1_000;

    /** Longer than any lock lasts: where there is none to lose. */
    private static final Duration NO_LOCK = Duration.ofDays(3_650);

    final DataSource dataSource;
    SchemaName schema = SchemaName.DEFAULT;
    String name = "";

    @Nullable MessageSource source;

    @Nullable Handler handler;

    @Nullable ClaimStore claims;

    @Nullable PayloadCodec codec;

    @Nullable TransactionBoundary boundary;

    OutsideWork outsideWork = OutsideWork.REFUSE;
    ConsumerListener listener = ConsumerListener.SILENT;

    /** Records what happens to messages; the listener passes on to the user's what it is told. */
    MessageEvents events = MessageEvents.none();

    RetryPolicy retries = RetryPolicy.DEFAULT;
    DeliveryPolicy deliveries = DeliveryPolicy.DEFAULT;
    FailurePolicy failures = FailurePolicy.STANDARD;
    OnFailure onFailure = OnFailure.DEAD_LETTER;
    Duration backgroundPollInterval = Duration.ofSeconds(1);

    @Nullable Retention retention;

    int batch = 1;
    int readAhead = 10;
    SessionHook sessionHook = SessionHook.NONE;
    Duration deferralWarningAfter = Duration.ofDays(1);
    int concurrency = 8;
    Duration handlerTimeout = Duration.ofMinutes(5);

    @Nullable Duration lockTimeout;

    Duration sessionIdle = Duration.ofSeconds(1);

    /** How long a session that was accepted is waited for to bring its first message. */
    Duration firstMessage = Duration.ofSeconds(5);

    Duration receiverTimeout = Duration.ofMinutes(5);
    Duration drain = Duration.ofSeconds(30);
    final Duration afterInterrupt = Duration.ofSeconds(5);
    Duration beyondTheLongestAnswer = Duration.ofSeconds(15);

    ConsumerSettings(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    InboxConsumer build() {
        require(!name.isBlank(), "A consumer needs a name");
        if (source == null || handler == null) {
            throw new IllegalStateException("Consumer '" + name + "' needs a source and a handler");
        }
        require(
                concurrency >= 1 && concurrency <= MOST_CONCURRENT,
                "Consumer '" + name + "' handles 1 to " + MOST_CONCURRENT + " at a time, not " + concurrency);
        require(!handlerTimeout.isNegative() && !handlerTimeout.isZero(), "A handler needs time");
        EntityDescription facts = source.facts();
        // From 65 on, PostgreSQL no longer keeps a transaction's savepoints where others can look them up quickly.
        require(batch >= 1 && batch <= 50, "A batch has 1 to 50 messages, not " + batch);
        require(
                batch == 1 || facts.sessions(),
                "'" + facts.path() + "' has no sessions whose messages could be a batch");
        require(readAhead >= 0 && readAhead <= 100, "0 to 100 messages are read ahead, not " + readAhead);
        require(!deferralWarningAfter.isNegative(), "A message is not forgotten before it is deferred");
        deliveries.check(facts);
        require(
                facts.sessions() || onFailure != OnFailure.HOLD_SESSION,
                "'" + facts.path() + "' has no sessions that could be held");
        checkPrefetch(facts);
        checkLockTimeout(facts);
        return new InboxConsumer(copy(), source, handler);
    }

    // Nobody prolongs the locks of messages that wait in a buffer.
    private void checkPrefetch(EntityDescription facts) {
        Duration wait = handlerTimeout.multipliedBy(facts.prefetch());
        require(
                facts.deletesOnReceive() || wait.compareTo(facts.lockDuration()) <= 0,
                "'" + facts.path() + "': " + facts.prefetch() + " prefetched messages may wait " + wait
                        + " for handlers that may take " + handlerTimeout + " each, but their locks last "
                        + facts.lockDuration() + "; use less prefetch or a shorter handlerTimeout");
    }

    private void checkLockTimeout(EntityDescription facts) {
        require(
                lockTimeout(facts).compareTo(facts.lockDuration()) < 0
                        && lockTimeout(facts).toMillis() > 0,
                "'" + facts.path() + "': lockTimeout " + lockTimeout(facts)
                        + " is to be shorter than the broker's lock of " + facts.lockDuration());
    }

    Duration lockTimeout(EntityDescription facts) {
        return lockTimeout != null ? lockTimeout : facts.lockDuration().dividedBy(2);
    }

    /** How long the database may say nothing: longer than a handler's statement may take, or a wait for a lock. */
    Duration longestAnswer(EntityDescription facts) {
        Duration lock = lockTimeout(facts);
        return (handlerTimeout.compareTo(lock) < 0 ? lock : handlerTimeout).plus(beyondTheLongestAnswer);
    }

    /** How long a message's transaction may last, or that of a batch: its statements wait for locks, too. */
    Duration longestTransaction(EntityDescription facts, Duration margin) {
        return handlerTimeout
                .multipliedBy(batch)
                .plus(lockTimeout(facts).multipliedBy(3))
                .plus(margin);
    }

    /** How long anybody in this process may have a message in hand, and more. */
    Duration longestAttempt() {
        return handlerTimeout.multipliedBy(2).plus(retries.maxInPlace()).plus(Duration.ofMinutes(10));
    }

    Deferrals.Limits deferring(EntityDescription facts) {
        return new Deferrals.Limits(lockTimeout(facts), longestAttempt());
    }

    /** How often forgotten deferrals are looked for. */
    Duration forgottenPoll() {
        Duration hour = Duration.ofHours(1);
        Duration poll = deferralWarningAfter.compareTo(hour) < 0 ? deferralWarningAfter : hour;
        return poll.compareTo(backgroundPollInterval) > 0 ? poll : backgroundPollInterval;
    }

    /** How long a receiver without messages is kept. */
    Duration idle(EntityDescription facts) {
        return facts.sessions() ? sessionIdle : receiverTimeout;
    }

    Work.Limits limits(EntityDescription facts, EntityLock lock) {
        boolean lockless = facts.deletesOnReceive() && !facts.sessions();
        // The last try in place may begin just before its time is over.
        Duration worstCase = retries.maxInPlace().plus(handlerTimeout).plus(facts.lockDuration());
        return new Work.Limits(
                handlerTimeout,
                lockless ? new EntityLock(facts.path(), NO_LOCK) : lock,
                worstCase,
                Duration.ofSeconds(1));
    }

    private ConsumerSettings copy() {
        var copy = new ConsumerSettings(dataSource);
        copy.schema = schema;
        copy.name = name;
        copy.source = source;
        copy.handler = handler;
        copy.claims = claims;
        copy.codec = codec;
        copy.boundary = boundary;
        copy.outsideWork = outsideWork;
        copy.listener = listener;
        copy.retries = retries;
        copy.deliveries = deliveries;
        copy.failures = failures;
        copy.onFailure = onFailure;
        copy.backgroundPollInterval = backgroundPollInterval;
        copy.retention = retention;
        copy.batch = batch;
        copy.readAhead = readAhead;
        copy.sessionHook = sessionHook;
        copy.deferralWarningAfter = deferralWarningAfter;
        copy.concurrency = concurrency;
        copy.handlerTimeout = handlerTimeout;
        copy.lockTimeout = lockTimeout;
        copy.sessionIdle = sessionIdle;
        copy.firstMessage = firstMessage;
        copy.receiverTimeout = receiverTimeout;
        copy.drain = drain;
        copy.beyondTheLongestAnswer = beyondTheLongestAnswer;
        return copy;
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }
}
