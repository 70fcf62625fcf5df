package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.mailbox.Requester;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.Section;
import org.jspecify.annotations.Nullable;

/** The management node of one entity or sub-queue. The entity is looked up anew for every request. */
public final class ManagementNode {
    private final Map<String, Operation> operations = new HashMap<>();
    private final MessageOperations messages;
    private final ScheduleOperations schedules;

    public ManagementNode(Namespace namespace, String path) {
        messages = new MessageOperations(namespace, path);
        schedules = new ScheduleOperations(namespace, path);
        messages.register(operations);
        schedules.register(operations);
        new SessionOperations(namespace, path).register(operations);
        new RuleOperations(namespace, path).register(operations);
    }

    /**
     * Answers a request.
     *
     * @param operation its name without the vendor's prefix
     * @param by the client that asks, who may hold a session
     * @throws Refused if it cannot be done
     */
    public Reply handle(String operation, @Nullable Section body, Requester by) {
        Operation known = operations.get(operation);
        if (known == null) {
            throw new Refused(BrokerError.NOT_IMPLEMENTED, "There is no operation '" + operation + "'.");
        }
        return known.run(new Arguments(body instanceof AmqpValue value ? value.getValue() : null), by);
    }

    /**
     * Answers a request that is part of a transaction.
     *
     * @throws Refused if it cannot be done, or not in a transaction
     */
    public Transacted handleLater(String operation, @Nullable Section body) {
        Arguments arguments = new Arguments(body instanceof AmqpValue value ? value.getValue() : null);
        return switch (operation) {
            case "update-disposition" -> messages.settleLater(arguments);
            case "schedule-message" -> schedules.scheduleLater(arguments);
            default ->
                throw new Refused(BrokerError.NOT_ALLOWED, "'" + operation + "' cannot be part of a transaction.");
        };
    }
}
