package dev.waybill.inbox.settings;

import dev.waybill.inbox.ConsumerListener;
import dev.waybill.inbox.DeliveryPolicy;
import dev.waybill.inbox.EntityDescription;
import dev.waybill.inbox.FailurePolicy;
import dev.waybill.inbox.Handler;
import dev.waybill.inbox.MessageSource;
import dev.waybill.inbox.OnFailure;
import dev.waybill.inbox.OutsideWork;
import dev.waybill.inbox.Retention;
import dev.waybill.inbox.RetryPolicy;
import dev.waybill.inbox.SessionHook;
import dev.waybill.inbox.TransactionBoundary;
import dev.waybill.outbox.ClaimStore;
import dev.waybill.outbox.PayloadCodec;
import dev.waybill.schema.SchemaName;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The settings of a consumer, as its builder has checked them. Immutable. */
public record ConsumerSettings(
        Store store, Application application, Hooks hooks, Policies policies, Receiving receiving, Times times) {
    /**
     * Where the consumer remembers what it has handled.
     *
     * @param consumer the consumer's name there
     * @param retention null if ids are remembered for ever
     */
    public record Store(
            DataSource dataSource,
            SchemaName schema,
            String consumer,
            @Nullable Retention retention) {}

    /**
     * What the application brings.
     *
     * @param claims null if no bodies are kept outside their messages
     * @param codec null if bodies are as they were sent
     * @param boundary null if handlers run in transactions of the consumer's own
     */
    public record Application(
            MessageSource source,
            Handler handler,
            @Nullable ClaimStore claims,
            @Nullable PayloadCodec codec,
            @Nullable TransactionBoundary boundary,
            OutsideWork outsideWork) {}

    /** What the application is notified by. */
    public record Hooks(ConsumerListener listener, SessionHook session) {}

    /** What becomes of a message that has failed. */
    public record Policies(
            RetryPolicy retries, DeliveryPolicy deliveries, FailurePolicy failures, OnFailure onFailure) {}

    /**
     * How messages are received.
     *
     * @param idle how long a session is kept after its last message
     * @param firstMessage how long a session that was accepted is waited for to bring its first message
     * @param receiverTimeout after how long without a message a link without sessions is made anew
     */
    public record Receiving(
            int concurrency,
            int batch,
            int readAhead,
            Duration idle,
            Duration firstMessage,
            Duration receiverTimeout) {}

    /**
     * How long things take.
     *
     * @param lockTimeout null for half the broker's lock duration
     * @param beyondTheLongestAnswer what the database is given beyond the longest statement
     */
    public record Times(
            Duration handlerTimeout,
            @Nullable Duration lockTimeout,
            Duration beyondTheLongestAnswer,
            Duration drain,
            Duration backgroundPollInterval,
            Duration deferralWarningAfter) {}

    /** The same with other hooks. */
    public ConsumerSettings with(Hooks others) {
        return new ConsumerSettings(store, application, others, policies, receiving, times);
    }

    /** How long a statement waits for a lock. */
    public Duration lockTimeout(EntityDescription facts) {
        Duration timeout = times.lockTimeout();
        return timeout != null ? timeout : facts.lockDuration().dividedBy(2);
    }

    /** How long the database may say nothing: longer than a handler's statement may take, or a wait for a lock. */
    public Duration longestAnswer(EntityDescription facts) {
        Duration lock = lockTimeout(facts);
        Duration handler = times.handlerTimeout();
        return (handler.compareTo(lock) < 0 ? lock : handler).plus(times.beyondTheLongestAnswer());
    }

    /** How long a message's transaction may last, or that of a batch: its statements wait for locks, too. */
    public Duration longestTransaction(EntityDescription facts, Duration margin) {
        return times.handlerTimeout()
                .multipliedBy(receiving.batch())
                .plus(lockTimeout(facts).multipliedBy(3))
                .plus(margin);
    }

    /** How long anybody in this process may have a message in hand, and more. */
    public Duration longestAttempt() {
        return times.handlerTimeout()
                .multipliedBy(2)
                .plus(policies.retries().maxInPlace())
                .plus(Duration.ofMinutes(10));
    }

    /** How often forgotten deferrals are looked for. */
    public Duration forgottenPoll() {
        Duration hour = Duration.ofHours(1);
        Duration warning = times.deferralWarningAfter();
        Duration poll = warning.compareTo(hour) < 0 ? warning : hour;
        return poll.compareTo(times.backgroundPollInterval()) > 0 ? poll : times.backgroundPollInterval();
    }

    /** How long a receiver without messages is kept. */
    public Duration idle(EntityDescription facts) {
        return facts.sessions() ? receiving.idle() : receiving.receiverTimeout();
    }
}
