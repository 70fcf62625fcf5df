package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Refused;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MalformedMessageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sending for later, and taking it back. */
final class ScheduleOperations {
    private final Namespace namespace;
    private final String path;

    ScheduleOperations(Namespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    void register(Map<String, Operation> operations) {
        operations.put("schedule-message", this::schedule);
        operations.put("cancel-scheduled-message", this::cancel);
    }

    private Reply schedule(Arguments arguments) {
        List<BrokerMessage> messages = new ArrayList<>();
        for (Arguments message : arguments.maps("messages")) {
            byte[] bytes = message.requiredBytes("message");
            try {
                messages.add(BrokerMessage.parse(bytes, 0, bytes.length));
            } catch (MalformedMessageException e) {
                throw new Refused(BrokerError.INVALID_FIELD, "Not a message: " + e.getMessage());
            }
        }
        List<Long> numbers = namespace.destination(path).schedule(messages);
        return Reply.ok(Map.of("sequence-numbers", numbers.toArray(new Long[0])));
    }

    private Reply cancel(Arguments arguments) {
        namespace.destination(path).cancelScheduled(arguments.numbers("sequence-numbers"));
        return Reply.ok();
    }
}
