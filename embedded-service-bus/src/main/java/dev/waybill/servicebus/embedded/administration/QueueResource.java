package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.entity.MessageEntity;
import dev.waybill.servicebus.embedded.entity.Namespace;

/** Queues. */
final class QueueResource {
    private static final String ELEMENT = "QueueDescription";

    private final Namespace namespace;

    QueueResource(Namespace namespace) {
        this.namespace = namespace;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("queues", request, namespace.queues(), this::entry));
    }

    String entry(MessageEntity queue) {
        XmlText xml = new XmlText().openDescription(ELEMENT);
        new OptionsWriter(xml, queue.options())
                .delivery()
                .intake()
                .common(queue)
                .counts(queue.snapshot());
        return Atom.entry(
                queue.path(),
                queue.path(),
                queue.times().created(),
                xml.close(ELEMENT).toString());
    }

    Reply put(Request request, String name) {
        OptionsReader reader = new OptionsReader(request.description(ELEMENT));
        if (!request.update()) {
            return Reply.created(entry(namespace.createQueue(name, reader.read(QueueOptions.defaults()))));
        }
        MessageEntity queue = namespace.queue(name);
        if (queue == null) {
            return Reply.error(404, "There is no queue " + name);
        }
        QueueOptions changed = reader.read(queue.options());
        FixedSettings.check(queue.options(), changed);
        queue.update(changed);
        return Reply.ok(entry(queue));
    }
}
