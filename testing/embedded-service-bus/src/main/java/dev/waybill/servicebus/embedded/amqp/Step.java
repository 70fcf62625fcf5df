package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Refused;

/** A step of the broker's work at which a fault may be injected: how it goes on, and how it can go wrong. */
abstract class Step {
    private final AmqpConnection connection;

    Step(AmqpConnection connection) {
        this.connection = connection;
    }

    AmqpConnection connection() {
        return connection;
    }

    /** Nothing unusual: does what comes next. */
    abstract void proceed();

    /** Says no, and does not do what comes next. */
    abstract void reject(Refused why);

    /** Closes the link concerned. */
    void detach(Refused why) {
        connection.close(why);
    }

    /** Answers as if it had been done. */
    void pretend() {
        proceed();
    }

    /** Makes the message concerned come again. */
    void deliverTwice() {
        proceed();
    }

    /** Takes the lock concerned away. */
    void expireLock() {
        proceed();
    }

    /** Lets the client send nothing by the link concerned. */
    void withholdCredit() {
        proceed();
    }
}
