package dev.waybill.servicebus.embedded.management;

import dev.waybill.servicebus.embedded.entity.Destination;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Reservation;
import dev.waybill.servicebus.embedded.fault.BrokerError;
import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.BrokerMessage;
import dev.waybill.servicebus.embedded.message.MalformedMessageException;
import dev.waybill.servicebus.embedded.transaction.Sending;
import dev.waybill.servicebus.embedded.transaction.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class ScheduleOperations {
    private final Namespace namespace;
    private final String path;

    ScheduleOperations(Namespace namespace, String path) {
        this.namespace = namespace;
        this.path = path;
    }

    void register(Map<String, Operation> operations) {
        operations.put("schedule-message", (arguments, by) -> schedule(arguments));
        operations.put("cancel-scheduled-message", (arguments, by) -> cancel(arguments));
    }

    /** The numbers are needed now; the messages exist after the commit. */
    Transacted scheduleLater(Arguments arguments) {
        Destination destination = namespace.destination(path);
        List<BrokerMessage> messages = messages(arguments);
        Reservation reservation = destination.reserve(messages);
        return new Transacted(reply(reservation.numbers()), new Work() {
            @Override
            public void check() {
                destination.check(messages);
            }

            @Override
            public Sending sending() {
                return Sending.of(destination, messages);
            }

            @Override
            public void apply() {
                reservation.keep().run();
            }
        });
    }

    private Reply schedule(Arguments arguments) {
        return reply(namespace.destination(path).schedule(messages(arguments)));
    }

    private static Reply reply(List<Long> numbers) {
        return Reply.ok(Map.of("sequence-numbers", numbers.toArray(new Long[0])));
    }

    private static List<BrokerMessage> messages(Arguments arguments) {
        List<BrokerMessage> messages = new ArrayList<>();
        for (Arguments message : arguments.maps("messages")) {
            byte[] bytes = message.requiredBytes("message");
            try {
                messages.add(BrokerMessage.parse(bytes, 0, bytes.length));
            } catch (MalformedMessageException e) {
                throw new Refused(BrokerError.INVALID_FIELD, "Not a message: " + e.getMessage());
            }
        }
        return messages;
    }

    private Reply cancel(Arguments arguments) {
        namespace.destination(path).cancelScheduled(arguments.distinctNumbers("sequence-numbers"));
        return Reply.ok();
    }
}
