package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Namespace;

final class QueueResource {
    private static final String ELEMENT = "QueueDescription";

    private final Namespace namespace;

    QueueResource(Namespace namespace) {
        this.namespace = namespace;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("Queues", request, namespace.queues(), queue -> wrapped(request, queue)));
    }

    String entry(Request request, MessageEntity queue) {
        return Atom.entry(request, wrapped(request, queue));
    }

    private static Atom.Entry wrapped(Request request, MessageEntity queue) {
        return new Atom.Entry(
                queue.path(),
                queue.path(),
                queue.times().created(),
                queue.times().updated(),
                true,
                OptionsWriter.queue(request, queue));
    }

    Reply put(Request request, String name) {
        OptionsReader reader = new OptionsReader(request.description(ELEMENT));
        if (!request.update()) {
            return Reply.created(entry(request, namespace.createQueue(name, sized(reader, QueueOptions.defaults()))));
        }
        MessageEntity queue = namespace.queue(name);
        if (queue == null) {
            return Reply.error(404, "There is no queue " + name);
        }
        QueueOptions changed = sized(reader, queue.options());
        FixedSettings.check(queue.options(), changed);
        queue.update(changed);
        return Reply.ok(entry(request, queue));
    }

    private QueueOptions sized(OptionsReader reader, QueueOptions before) {
        return FixedSettings.sized(reader.read(before), namespace.context().limits());
    }
}
