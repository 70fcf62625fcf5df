package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.fault.FaultEvent;
import dev.waybill.servicebus.embedded.fault.FaultPoint;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.management.ManagementNode;
import dev.waybill.servicebus.embedded.management.Reply;
import dev.waybill.servicebus.embedded.management.Transacted;
import dev.waybill.servicebus.embedded.security.AccessRight;
import java.util.Map;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.message.Message;

final class ManagementService implements RequestNode.Service {
    private final Broker broker;
    private final ManagementNode node;
    private final String entity;

    ManagementService(Broker broker, ManagementNode node, String entity) {
        this.broker = broker;
        this.node = node;
        this.entity = entity;
    }

    @Override
    public void handle(Message request, Exchange exchange) {
        TransactionalState transaction = exchange.transaction();
        Map<String, Object> properties = RequestNode.properties(request);
        String operation = String.valueOf(properties.get("operation")).replace("com.microsoft:", "");
        FaultGate.pass(
                broker,
                FaultPoint.MANAGEMENT,
                () -> FaultEvent.of(FaultPoint.MANAGEMENT, entity, operation),
                new Step(exchange.connection()) {
                    @Override
                    void proceed() {
                        try {
                            exchange.connection().permissions().require(entity, rightFor(operation));
                            broker.credits().spend(1);
                            Reply reply = transaction == null
                                    ? node.handle(
                                            operation, request.getBody(), new RequestingLink(exchange, properties))
                                    : enlist(operation, request, exchange, transaction);
                            exchange.done(reply.status(), reply.description(), reply.body());
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

    // Over AMQP, rules need only these rights; over HTTP they need Manage.
    private static AccessRight rightFor(String operation) {
        return switch (operation) {
            case "schedule-message", "cancel-scheduled-message" -> AccessRight.SEND;
            default -> AccessRight.LISTEN;
        };
    }

    private Reply enlist(String operation, Message request, Exchange exchange, TransactionalState transaction) {
        Transacted transacted = node.handleLater(operation, request.getBody());
        connection(exchange).enlist(transaction, exchange.link(), entity, transacted.work());
        return transacted.reply();
    }

    private static Enlistment connection(Exchange exchange) {
        return exchange.connection().enlistment();
    }
}
