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

/** The management node of an entity or sub-queue. Every request looks the entity up again. */
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

    /** Handles a request; the operation has no vendor prefix. Throws {@link Refused} if it fails. */
    public Reply handle(String operation, @Nullable Section body, Requester by) {
        Operation known = operations.get(operation);
        if (known == null) {
            throw new Refused(BrokerError.NOT_IMPLEMENTED, "There is no operation '" + operation + "'.");
        }
        return known.run(new Arguments(body instanceof AmqpValue value ? value.getValue() : null), by);
    }

    /**
     * Handles a request within a transaction.
     *
     * @throws Refused if the operation fails, or cannot be part of a transaction
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
