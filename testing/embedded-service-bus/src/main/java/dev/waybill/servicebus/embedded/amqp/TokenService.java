package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.message.Message;

/** Receives clients' tokens. */
final class TokenService implements RequestNode.Service {
    private static final int ACCEPTED = 202;

    private final Broker broker;

    TokenService(Broker broker) {
        this.broker = broker;
    }

    @Override
    public void handle(Message request, Exchange exchange) {
        Object name = RequestNode.properties(request).get("name");
        String path = name == null ? "" : LinkRouter.path(name.toString());
        FaultGate.pass(
                broker,
                FaultPoint.CBS,
                () -> FaultEvent.of(FaultPoint.CBS, path, "put-token"),
                new Step(exchange.connection()) {
                    @Override
                    void proceed() {
                        try {
                            exchange.connection().permissions().present(token(request));
                            exchange.connection().tokens().presented();
                            exchange.done(ACCEPTED, "Accepted", null);
                        } catch (Refused why) {
                            exchange.refused(why);
                        }
                    }

                    @Override
                    void reject(Refused why) {
                        exchange.refused(why);
                    }

                    @Override
                    void detach(Refused why) {
                        exchange.detach(why);
                    }
                });
    }

    private static String token(Message request) {
        return request.getBody() instanceof AmqpValue value ? String.valueOf(value.getValue()) : "";
    }
}
