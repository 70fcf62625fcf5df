package dev.waybill.inbox;

import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What a builder has been told, and the checks whether it fits together. Mutable, and not thread-safe; a consumer gets {@link
 * ConsumerSettings} made of it.
 */
public final class ConsumerOptions {
    private static final int MOST_CONCURRENT = 1_000;

    final DataSource dataSource;
    SchemaName schema = SchemaName.DEFAULT;
    String name = "";

    @Nullable MessageSource source;

    @Nullable Handler handler;

    public @Nullable ClaimStore claims;

    @Nullable PayloadCodec codec;

    @Nullable TransactionBoundary boundary;

    OutsideWork outsideWork = OutsideWork.REFUSE;
    ConsumerListener listener = ConsumerListener.SILENT;

    RetryPolicy retries = RetryPolicy.DEFAULT;
    DeliveryPolicy deliveries = DeliveryPolicy.DEFAULT;
    FailurePolicy failures = FailurePolicy.STANDARD;
    OnFailure onFailure = OnFailure.DEAD_LETTER;
    Duration backgroundPollInterval = Duration.ofSeconds(1);

    @Nullable Retention retention;

    public int batch = 1;
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
    Duration beyondTheLongestAnswer = Duration.ofSeconds(15);

    ConsumerOptions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * The settings, checked.
     *
     * @throws IllegalStateException naming the setting that is missing, out of range or at odds with the entity
     */
    ConsumerSettings checked() {
        require(!name.isBlank(), "A consumer needs a name");
        if (source == null || handler == null) {
            throw new IllegalStateException("Consumer '" + name + "' needs a source and a handler");
        }
        ConsumerSettings settings = settings(source, handler);
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
        checkLockTimeout(facts, settings.lockTimeout(facts));
        return settings;
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

    private static void checkLockTimeout(EntityDescription facts, Duration timeout) {
        require(
                timeout.compareTo(facts.lockDuration()) < 0 && timeout.toMillis() > 0,
                "'" + facts.path() + "': lockTimeout " + timeout + " is to be shorter than the broker's lock of "
                        + facts.lockDuration());
    }

    ConsumerSettings settings(MessageSource source, Handler handler) {
        return new ConsumerSettings(
                new ConsumerSettings.Store(dataSource, schema, name, retention),
                new ConsumerSettings.Application(source, handler, claims, codec, boundary, outsideWork),
                new ConsumerSettings.Hooks(listener, sessionHook),
                new ConsumerSettings.Policies(retries, deliveries, failures, onFailure),
                new ConsumerSettings.Receiving(
                        concurrency, batch, readAhead, sessionIdle, firstMessage, receiverTimeout),
                new ConsumerSettings.Times(
                        handlerTimeout,
                        lockTimeout,
                        beyondTheLongestAnswer,
                        drain,
                        backgroundPollInterval,
                        deferralWarningAfter));
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalStateException(message);
        }
    }
}
