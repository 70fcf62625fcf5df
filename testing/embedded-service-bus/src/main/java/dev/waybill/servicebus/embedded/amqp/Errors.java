package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.transport.ErrorCondition;

final class Errors {
    private Errors() {}

    static ErrorCondition condition(Refused why) {
        return new ErrorCondition(Symbol.valueOf(why.error().condition()), why.description());
    }

    static Rejected rejected(Refused why) {
        Rejected rejected = new Rejected();
        rejected.setError(condition(why));
        return rejected;
    }

    static Refused injected(BrokerError error) {
        return new Refused(error, "Injected fault: " + error.condition());
    }
}
