package dev.waybill.inbox;

import java.time.Duration;

/** How a consumer works; the defaults suit most services. Given to {@link InboxConsumer.Builder#tuning}. Not thread-safe. */
public final class ConsumerTuning {
    private final ConsumerOptions options;

    ConsumerTuning(ConsumerOptions options) {
        this.options = options;
    }

    /**
     * How many messages of a session are fetched while those before are handled; 0 for none. Default: 10.
     * The session's lock holds for them, and when the session is given back they are as they were. Takes the
     * memory of so many bodies per concurrent session. Without sessions nothing is read ahead.
     */
    public ConsumerTuning readAhead(int messages) {
        options.readAhead = messages;
        return this;
    }

    /**
     * How long a session is kept after its last message. Default: 1 s. Kept for longer if its first message took longer to
     * arrive, up to 1 s, because others may be on their way; for less while other sessions wait for a worker.
     */
    public ConsumerTuning sessionIdle(Duration idle) {
        options.sessionIdle = idle;
        return this;
    }

    /**
     * How long a statement of the message's transaction waits for a lock. Another delivery of the same message
     * waits that long for this one. Default: half the broker's lock duration.
     */
    public ConsumerTuning lockTimeout(Duration timeout) {
        options.lockTimeout = timeout;
        return this;
    }

    /** How long {@link InboxConsumer#close()} waits for messages under way. Default: 30 s. */
    public ConsumerTuning drain(Duration drain) {
        options.drain = drain;
        return this;
    }

    /**
     * On an entity without sessions: after this long without a message the link is made anew. Default: 5 min.
     */
    public ConsumerTuning receiverTimeout(Duration receiverTimeout) {
        options.receiverTimeout = receiverTimeout;
        return this;
    }

    /** How often holds that are due, and deferred messages to resume, are looked for. Default: 1 s. */
    public ConsumerTuning backgroundPollInterval(Duration poll) {
        options.backgroundPollInterval = poll;
        return this;
    }

    /**
     * The time after which a deferred message that nobody has resumed is reported, by the log and to the listener.
     * Default: 1 day. Looked for every hour, or as often as that time passes if it is shorter.
     */
    public ConsumerTuning deferralWarningAfter(Duration time) {
        options.deferralWarningAfter = time;
        return this;
    }
}
