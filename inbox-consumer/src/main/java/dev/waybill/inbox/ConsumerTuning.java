package dev.waybill.inbox;

import java.time.Duration;

/** Tuning of a consumer; the defaults suit most services. See {@link InboxConsumer.Builder#tuning}. Not thread-safe. */
public final class ConsumerTuning {
    private final ConsumerOptions options;

    ConsumerTuning(ConsumerOptions options) {
        this.options = options;
    }

    /**
     * How many messages of a session are fetched while earlier ones are handled; 0 for none. Default: 10. The session's lock covers
     * them, and they return unchanged with it. Costs the memory of that many bodies per concurrent session. Has no effect without
     * sessions.
     */
    public ConsumerTuning readAhead(int messages) {
        options.readAhead = messages;
        return this;
    }

    /**
     * How long a worker keeps a session after its last message. Default: 1 s. If the session's first message arrived later than that,
     * the worker waits as long as that took, up to 1 s. It waits less while other sessions wait for a worker.
     */
    public ConsumerTuning sessionIdle(Duration idle) {
        options.sessionIdle = idle;
        return this;
    }

    /** How long a statement in the message's transaction waits for a lock, for example of another delivery. Default: half the broker's. */
    public ConsumerTuning lockTimeout(Duration timeout) {
        options.lockTimeout = timeout;
        return this;
    }

    /** How long {@link InboxConsumer#close()} waits for messages in flight. Default: 30 s. */
    public ConsumerTuning drain(Duration drain) {
        options.drain = drain;
        return this;
    }

    /** Entities without sessions: how long a link may stay without a message before the consumer replaces it. Default: 5 min. */
    public ConsumerTuning receiverTimeout(Duration receiverTimeout) {
        options.receiverTimeout = receiverTimeout;
        return this;
    }

    /** How often the consumer polls for due holds and resumed deferrals. Default: 1 s. */
    public ConsumerTuning backgroundPollInterval(Duration poll) {
        options.backgroundPollInterval = poll;
        return this;
    }

    /** The age at which a deferred message is logged and reported to the listener. Default: 1 day. Checked every hour, or more often. */
    public ConsumerTuning deferralWarningAfter(Duration time) {
        options.deferralWarningAfter = time;
        return this;
    }
}
