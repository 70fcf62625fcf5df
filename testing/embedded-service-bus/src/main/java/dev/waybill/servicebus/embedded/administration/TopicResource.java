package dev.waybill.servicebus.embedded.administration;

import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.servicebus.embedded.config.TopicOptions;
import dev.waybill.servicebus.embedded.entity.EntityTimes;
import dev.waybill.servicebus.embedded.entity.Namespace;
import dev.waybill.servicebus.embedded.entity.Topic;

final class TopicResource {
    private static final String ELEMENT = "TopicDescription";

    private final Namespace namespace;

    TopicResource(Namespace namespace) {
        this.namespace = namespace;
    }

    Reply list(Request request) {
        return Reply.ok(Atom.feed("Topics", request, namespace.topics(), topic -> wrapped(request, topic)));
    }

    String entry(Request request, Topic topic) {
        return Atom.entry(request, wrapped(request, topic));
    }

    private static Atom.Entry wrapped(Request request, Topic topic) {
        EntityTimes times = topic.intake().times();
        return new Atom.Entry(
                topic.path(),
                topic.path(),
                times.created(),
                times.updated(),
                true,
                OptionsWriter.topic(request, topic));
    }

    Reply put(Request request, String name) {
        OptionsReader reader = new OptionsReader(request.description(ELEMENT));
        if (!request.update()) {
            TopicOptions options = TopicOptions.defaults().intake(before -> sized(reader, before));
            return Reply.created(entry(request, namespace.createTopic(name, options)));
        }
        Topic topic = namespace.topic(name);
        if (topic == null) {
            return Reply.error(404, "There is no topic " + name);
        }
        QueueOptions changed = sized(reader, topic.intake().options());
        FixedSettings.check(topic.intake().options(), changed);
        topic.intake().update(changed);
        return Reply.ok(entry(request, topic));
    }

    private QueueOptions sized(OptionsReader reader, QueueOptions before) {
        return FixedSettings.sized(reader.read(before), namespace.context().limits());
    }
}
