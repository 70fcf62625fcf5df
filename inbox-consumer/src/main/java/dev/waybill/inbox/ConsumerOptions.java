package dev.waybill.inbox;

import dev.waybill.inbox.settings.ConsumerSettings;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects a builder's settings and checks them against the entity and each other. Not thread-safe. */
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

    /** How long an accepted session may take to deliver its first message. */
    Duration firstMessage = Duration.ofSeconds(5);

    Duration receiverTimeout = Duration.ofMinutes(5);
    Duration drain = Duration.ofSeconds(30);
    Duration beyondTheLongestAnswer = Duration.ofSeconds(15);

    ConsumerOptions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Throws IllegalStateException if a setting is missing, out of range or does not fit the entity. */
    ConsumerSettings checked() {
        require(!name.isBlank(), "The consumer's name is missing; set name");
        if (source == null || handler == null) {
            throw new IllegalStateException("Consumer '" + name + "' has no source or no handler; set both");
        }
        ConsumerSettings settings = settings(source, handler);
        require(
                concurrency >= 1 && concurrency <= MOST_CONCURRENT,
                "Consumer '" + name + "': concurrency must be 1 to " + MOST_CONCURRENT + ", not " + concurrency);
        require(
                !handlerTimeout.isNegative() && !handlerTimeout.isZero(),
                "handlerTimeout must be positive, not " + handlerTimeout);
        EntityDescription facts = source.facts();
        // Beyond 64 savepoints a transaction overflows PostgreSQL's subtransaction cache, and other backends'
        // visibility checks become slow.
        require(batch >= 1 && batch <= 50, "batch must be 1 to 50, not " + batch);
        require(
                batch == 1 || facts.sessions(),
                "'" + facts.path() + "' has no sessions, which a batch needs; use batch(1)");
        require(readAhead >= 0 && readAhead <= 100, "readAhead must be 0 to 100, not " + readAhead);
        require(
                !deferralWarningAfter.isNegative(),
                "deferralWarningAfter must not be negative: " + deferralWarningAfter);
        deliveries.check(facts);
        require(
                facts.sessions() || onFailure != OnFailure.HOLD_SESSION,
                "'" + facts.path() + "' has no sessions, which HOLD_SESSION needs; use DEAD_LETTER");
        checkPrefetch(facts);
        checkLockTimeout(facts, settings.lockTimeout(facts));
        return settings;
    }

    // The consumer does not renew the locks of messages in the prefetch buffer.
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
                "'" + facts.path() + "': lockTimeout " + timeout
                        + " must be positive and shorter than the broker's lock of " + facts.lockDuration());
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
