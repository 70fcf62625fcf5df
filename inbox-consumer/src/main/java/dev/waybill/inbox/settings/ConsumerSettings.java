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

/** A consumer's settings, as checked by its builder. Immutable. */
public record ConsumerSettings(
        Store store, Application application, Hooks hooks, Policies policies, Receiving receiving, Times times) {
    /** Where the consumer stores its state. Retention is null to remember ids for ever. */
    public record Store(
            DataSource dataSource,
            SchemaName schema,
            String consumer,
            @Nullable Retention retention) {}

    /** What the application supplies. Claims, codec and boundary are null where it supplies none. */
    public record Application(
            MessageSource source,
            Handler handler,
            @Nullable ClaimStore claims,
            @Nullable PayloadCodec codec,
            @Nullable TransactionBoundary boundary,
            OutsideWork outsideWork) {}

    public record Hooks(ConsumerListener listener, SessionHook session) {}

    public record Policies(
            RetryPolicy retries, DeliveryPolicy deliveries, FailurePolicy failures, OnFailure onFailure) {}

    // Idle is how long a session is kept after its last message, firstMessage how long an accepted session may take to
    // deliver one, and receiverTimeout how long a link without sessions may stay without a message.
    public record Receiving(
            int concurrency,
            int batch,
            int readAhead,
            Duration idle,
            Duration firstMessage,
            Duration receiverTimeout) {}

    // A null lockTimeout stands for half the broker's lock duration. beyondTheLongestAnswer is added to the longest
    // statement for the limit on the database's answers.
    public record Times(
            Duration handlerTimeout,
            @Nullable Duration lockTimeout,
            Duration beyondTheLongestAnswer,
            Duration drain,
            Duration backgroundPollInterval,
            Duration deferralWarningAfter) {}

    public ConsumerSettings with(Hooks others) {
        return new ConsumerSettings(store, application, others, policies, receiving, times);
    }

    public Duration lockTimeout(EntityDescription facts) {
        Duration timeout = times.lockTimeout();
        return timeout != null ? timeout : facts.lockDuration().dividedBy(2);
    }

    /** The limit on the database's answers: above a handler's longest statement and the longest wait for a lock. */
    public Duration longestAnswer(EntityDescription facts) {
        Duration lock = lockTimeout(facts);
        Duration handler = times.handlerTimeout();
        return (handler.compareTo(lock) < 0 ? lock : handler).plus(times.beyondTheLongestAnswer());
    }

    /** The longest transaction of a message or batch, including waits for locks. */
    public Duration longestTransaction(EntityDescription facts, Duration margin) {
        return times.handlerTimeout()
                .multipliedBy(receiving.batch())
                .plus(lockTimeout(facts).multipliedBy(3))
                .plus(margin);
    }

    /** An upper bound, with a margin, of the time for which a worker has a message. */
    public Duration longestAttempt() {
        return times.handlerTimeout()
                .multipliedBy(2)
                .plus(policies.retries().maxInPlace())
                .plus(Duration.ofMinutes(10));
    }

    /** How often long deferrals are looked up. */
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
