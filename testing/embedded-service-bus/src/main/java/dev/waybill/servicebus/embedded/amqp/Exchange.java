package dev.waybill.servicebus.embedded.amqp;

import dev.waybill.servicebus.embedded.mailbox.Refused;
import dev.waybill.servicebus.embedded.message.AmqpCodec;
import java.util.HashMap;
import java.util.Map;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Properties;
import org.apache.qpid.proton.amqp.transaction.TransactionalState;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.message.Message;
import org.jspecify.annotations.Nullable;

/** A request that awaits its answer. */
final class Exchange {
    private static final int OK = 200;

    private final RequestNode node;
    private final Receiver link;
    private final Message request;
    private final @Nullable TransactionalState transaction;

    Exchange(RequestNode node, Receiver link, Message request, @Nullable TransactionalState transaction) {
        this.transaction = transaction;
        this.node = node;
        this.link = link;
        this.request = request;
    }

    AmqpConnection connection() {
        return node.connection();
    }

    Receiver link() {
        return link;
    }

    /** Null without a transaction. */
    @Nullable TransactionalState transaction() {
        return transaction;
    }

    /** Answers with success. */
    void done(int status, String description, @Nullable Object body) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("statusCode", status);
        properties.put("status-code", status);
        properties.put("statusDescription", description);
        properties.put("status-description", description);
        send(properties, body);
    }

    void done(@Nullable Object body) {
        done(OK, "OK", body);
    }

    /** Answers with an error. */
    void refused(Refused why) {
        int status = StatusCodes.of(why.error());
        Map<String, Object> properties = new HashMap<>();
        properties.put("statusCode", status);
        properties.put("status-code", status);
        properties.put("statusDescription", why.description());
        properties.put("status-description", why.description());
        Symbol condition = Symbol.valueOf(why.error().condition());
        properties.put("errorCondition", condition);
        properties.put("error-condition", condition);
        send(properties, null);
    }

    void detach(Refused why) {
        node.connection().detach(link, why);
    }

    /** The largest answer that the client accepts, in bytes. */
    long largestAnswer() {
        return node.largestAnswer(request.getReplyTo());
    }

    private void send(Map<String, Object> applicationProperties, @Nullable Object body) {
        Properties properties = new Properties();
        Object id = request.getCorrelationId() != null && request.getMessageId() == null
                ? request.getCorrelationId()
                : request.getMessageId();
        properties.setCorrelationId(id);
        node.answer(
                request.getReplyTo(),
                AmqpCodec.encode(properties, new ApplicationProperties(applicationProperties), new AmqpValue(body)));
    }
}
