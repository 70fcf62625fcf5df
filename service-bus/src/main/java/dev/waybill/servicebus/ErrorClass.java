package dev.waybill.servicebus;

/** What an error of the broker means for sends and receivers; with it, all that the operator needs to know. */
public enum ErrorClass {
    PASSING(
            "sends again; the circuit breaker opens for up to 5 s; alarm `unavailable`",
            "opens a new link after a back-off of up to 30 s; after 10 s alarm `not-receiving`"),
    THROTTLED("sends again after up to 30 s on the same connection; alarm `throttled`", "as passing"),
    UNEXPLAINED(
            "as passing; if it sticks to one message while others are accepted, that message is held", "as passing"),
    DESTINATION(
            "keeps the messages pending, logs an ERROR, and retries once a minute; alarm `refused`",
            "as passing; the WARN and the alarm have the broker's words"),
    MESSAGE("holds the message, with its session unless the policy is `HOLD_MESSAGE`; alarm `parked`", "as passing"),
    LOCK_LOST("cannot occur; as passing", "nothing is lost: the message comes again");

    private final String relay;
    private final String consumer;

    ErrorClass(String relay, String consumer) {
        this.relay = relay;
        this.consumer = consumer;
    }

    /** What the relay does after a send. */
    public String relay() {
        return relay;
    }

    /** What a consumer does. */
    public String consumer() {
        return consumer;
    }
}
