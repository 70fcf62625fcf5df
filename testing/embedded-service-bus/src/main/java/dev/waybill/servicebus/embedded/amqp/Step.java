package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Refused;

/** A step of the broker's work with a fault point: how it continues, and how it can fail. */
abstract class Step {
    private final AmqpConnection connection;

    Step(AmqpConnection connection) {
        this.connection = connection;
    }

    AmqpConnection connection() {
        return connection;
    }

    abstract void proceed();

    abstract void reject(Refused why);

    void detach(Refused why) {
        connection.close(why);
    }

    /** Answers without doing the step. */
    void pretend() {
        proceed();
    }

    void deliverTwice() {
        proceed();
    }

    void expireLock() {
        proceed();
    }

    void withholdCredit() {
        proceed();
    }
}
