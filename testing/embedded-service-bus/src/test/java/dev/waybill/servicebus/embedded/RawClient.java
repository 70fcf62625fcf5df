package dev.waybill.servicebus.embedded;

import dev.waybill.servicebus.embedded.message.MessageBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedLong;
import org.apache.qpid.proton.amqp.messaging.Accepted;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.amqp.messaging.MessageAnnotations;
import org.apache.qpid.proton.amqp.messaging.Rejected;
import org.apache.qpid.proton.amqp.messaging.Source;
import org.apache.qpid.proton.amqp.messaging.Target;
import org.apache.qpid.proton.engine.Collector;
import org.apache.qpid.proton.engine.Connection;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Receiver;
import org.apache.qpid.proton.engine.Sender;
import org.apache.qpid.proton.engine.Session;
import org.apache.qpid.proton.engine.Transport;
import org.apache.qpid.proton.message.Message;

/** A client without manners: does what the real library would never do, and waits for every answer itself. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final Transport transport = Proton.transport();
    private final Connection connection = Proton.connection();
    private final Session session = connection.session();
    private final Map<String, Sender> senders = new HashMap<>();
    private final Collector events = Proton.collector();
    private final Map<Link, Integer> flows = new HashMap<>();
    private int tags;
    private int largestAnswer;

    private RawClient(Socket socket) {
        this.socket = socket;
    }

    static RawClient connect(int port) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            return new RawClient(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] message(String id) {
        Message message = Message.Factory.create();
        message.setMessageId(id);
        message.setBody(new AmqpValue("body"));
        return encoded(message);
    }

    /** A message with a body of so many bytes. */
    static byte[] largeMessage(int size) {
        Message message = Message.Factory.create();
        message.setBody(new Data(new Binary(new byte[size])));
        byte[] bytes = new byte[size + 1024];
        int length = message.encode(bytes, 0, bytes.length);
        return Arrays.copyOf(bytes, length);
    }

    /** A message whose keys no client library would let differ. */
    static byte[] message(String id, String session, String partitionKey) {
        Message message = Message.Factory.create();
        message.setMessageId(id);
        message.setGroupId(session);
        message.setMessageAnnotations(
                new MessageAnnotations(new HashMap<>(Map.of(Symbol.valueOf("x-opt-partition-key"), partitionKey))));
        message.setBody(new AmqpValue("body"));
        return encoded(message);
    }

    static byte[] encoded(Message message) {
        byte[] bytes = new byte[512 * 1024];
        int size = message.encode(bytes, 0, bytes.length);
        return Arrays.copyOf(bytes, size);
    }

    void open() {
        open(65_536);
    }

    /** Opens a connection for frames of this many bytes at most. */
    void open(int largestFrame) {
        transport.setMaxFrameSize(largestFrame);
        transport.bind(connection);
        connection.collect(events);
        connection.setContainer("raw");
        connection.open();
        session.open();
        until(() -> session.getRemoteState() == EndpointState.ACTIVE);
    }

    Sender sender(String path) {
        return senders.computeIfAbsent(path, key -> {
            Sender sender = session.sender("s-" + path);
            Target target = new Target();
            target.setAddress(path);
            sender.setTarget(target);
            sender.setSource(new Source());
            sender.open();
            until(() -> sender.getCredit() > 0);
            return sender;
        });
    }

    /** Sends to one entity by way of another. */
    String sendVia(String via, String target, byte[] bytes) {
        Sender sender = session.sender("via-" + via);
        Target first = new Target();
        first.setAddress(via);
        sender.setTarget(first);
        sender.setSource(new Source());
        Map<Symbol, Object> properties = new HashMap<>();
        properties.put(Symbol.valueOf("com.microsoft:transfer-destination-address"), target);
        sender.setProperties(properties);
        sender.open();
        until(() -> sender.getCredit() > 0 || sender.getRemoteState() == EndpointState.CLOSED);
        if (sender.getRemoteState() == EndpointState.CLOSED) {
            return "closed " + sender.getRemoteCondition();
        }
        senders.put(via, sender);
        return sendBytes(via, bytes);
    }

    /** From now on takes answers of this many bytes at most, or of any size for 0. */
    RawClient answering(int most) {
        largestAnswer = most;
        return this;
    }

    /** Asks a management node and returns its answer. */
    Message request(String node, String operation, Map<String, Object> body) {
        return ask(node, Map.of("operation", "com.microsoft:" + operation), new AmqpValue(body));
    }

    /** Asks a node that answers requests. */
    Message ask(String node, Map<String, Object> properties, AmqpValue body) {
        Receiver answers = session.receiver("answers-" + tags);
        Source source = new Source();
        source.setAddress(node);
        answers.setSource(source);
        Target target = new Target();
        target.setAddress("answers-" + tags);
        answers.setTarget(target);
        answers.setMaxMessageSize(UnsignedLong.valueOf(largestAnswer));
        answers.open();
        answers.flow(1);
        until(() -> answers.getRemoteState() == EndpointState.ACTIVE);
        Message request = Message.Factory.create();
        request.setMessageId("request-" + tags);
        request.setReplyTo(target.getAddress());
        request.setApplicationProperties(new ApplicationProperties(properties));
        request.setBody(body);
        sendBytes(node, encoded(request));
        until(() -> answers.current() != null
                && answers.current().isReadable()
                && !answers.current().isPartial());
        byte[] answered = new byte[answers.current().pending()];
        answers.recv(answered, 0, answered.length);
        answers.advance();
        answers.close();
        Message answer = Message.Factory.create();
        answer.decode(answered, 0, answered.length);
        return answer;
    }

    void send(String path, String id) {
        String outcome = sendBytes(path, message(id));
        if (!outcome.equals("accepted")) {
            throw new AssertionError(outcome);
        }
    }

    /** Sends a transfer and tells what became of it. */
    String sendBytes(String path, byte[] bytes) {
        return sendBytes(path, bytes, 0);
    }

    /** Sends a message in the envelope of a batch and tells what became of it. */
    String sendBatch(String path, byte[] message) {
        Message envelope = Message.Factory.create();
        envelope.setBody(new Data(new Binary(message)));
        byte[] bytes = new byte[message.length + 1024];
        int length = envelope.encode(bytes, 0, bytes.length);
        return sendBytes(path, Arrays.copyOf(bytes, length), MessageBatch.FORMAT);
    }

    private String sendBytes(String path, byte[] bytes, int format) {
        Sender sender = sender(path);
        Delivery delivery = sender.delivery(new byte[] {(byte) (tags >> 8), (byte) tags++});
        delivery.setMessageFormat(format);
        sender.send(bytes, 0, bytes.length);
        sender.advance();
        until(() -> delivery.getRemoteState() != null || sender.getRemoteState() == EndpointState.CLOSED);
        if (delivery.getRemoteState() instanceof Accepted) {
            delivery.settle();
            return "accepted";
        }
        return delivery.getRemoteState() instanceof Rejected rejected
                ? "rejected " + rejected.getError()
                : "closed " + sender.getRemoteCondition();
    }

    /** Sends a transfer in two frames with one to another entity between them, all three in one segment. */
    void sendAround(String path, byte[] outer, String between, byte[] inner) {
        Sender first = sender(path);
        Sender second = sender(between);
        Delivery around = first.delivery(new byte[] {(byte) (tags >> 8), (byte) tags++});
        int half = outer.length / 2;
        first.send(outer, 0, half);
        transport.pending();
        Delivery within = second.delivery(new byte[] {(byte) (tags >> 8), (byte) tags++});
        second.send(inner, 0, inner.length);
        second.advance();
        transport.pending();
        first.send(outer, half, outer.length - half);
        first.advance();
        until(() -> around.getRemoteState() != null && within.getRemoteState() != null);
    }

    /** Sends the beginning of a transfer and never its end; tells what the broker says to that, if anything. */
    String sendHalf(String path, int size) {
        Sender sender = sender(path);
        sender.delivery(new byte[] {1});
        byte[] part = new byte[32 * 1024];
        for (int sent = 0; sent < size; sent += part.length) {
            sender.send(part, 0, part.length);
            write();
            if (sent > 1024 * 1024) {
                until(() -> sender.getRemoteState() == EndpointState.CLOSED);
                return String.valueOf(sender.getRemoteCondition());
            }
        }
        return "";
    }

    void receiver(String path, int credit) {
        Receiver receiver = session.receiver("r-" + path);
        Source source = new Source();
        source.setAddress(path);
        receiver.setSource(source);
        receiver.setTarget(new Target());
        receiver.open();
        receiver.flow(credit);
        until(() -> receiver.getRemoteState() == EndpointState.ACTIVE);
    }

    /** Attaches with these properties and tells the error by which the broker answers, or "open". */
    String attach(Link link, String path, Map<Symbol, Object> properties) {
        Target target = new Target();
        Source source = new Source();
        if (link instanceof Sender) {
            target.setAddress(path);
        } else {
            source.setAddress(path);
        }
        link.setTarget(target);
        link.setSource(source);
        link.setProperties(properties);
        link.open();
        until(() -> link.getRemoteState() == EndpointState.CLOSED
                || (link.getRemoteTarget() != null && link.getRemoteSource() != null));
        return link.getRemoteState() == EndpointState.CLOSED ? String.valueOf(link.getRemoteCondition()) : "open";
    }

    /** Attaches for one session and tells the error by which the broker answers, or "open". */
    String attachToSession(Receiver link, String path, String sessionId) {
        Source source = new Source();
        source.setAddress(path);
        Map<Symbol, Object> filter = new HashMap<>();
        filter.put(Symbol.valueOf("com.microsoft:session-filter"), sessionId);
        source.setFilter(filter);
        link.setSource(source);
        link.setTarget(new Target());
        link.open();
        until(() -> link.getRemoteState() == EndpointState.CLOSED || link.getRemoteSource() != null);
        return link.getRemoteState() == EndpointState.CLOSED ? String.valueOf(link.getRemoteCondition()) : "open";
    }

    Sender newSender(String name) {
        return session.sender(name);
    }

    Receiver newReceiver(String name) {
        return session.receiver(name);
    }

    /** Asks for messages until the broker says, by a flow, that the credit is gone; tells how many came. */
    int drain(Receiver receiver, int credit) {
        int before = flows.getOrDefault(receiver, 0);
        receiver.drain(credit);
        int[] received = {0};
        until(() -> {
            while (receiver.current() != null
                    && receiver.current().isReadable()
                    && !receiver.current().isPartial()) {
                receiver.recv(new byte[64 * 1024], 0, 64 * 1024);
                receiver.advance();
                received[0]++;
            }
            return flows.getOrDefault(receiver, 0) > before;
        });
        return received[0];
    }

    /** Gives credit and reads nothing. */
    void grant(Receiver receiver, int credit) {
        receiver.flow(credit);
        write();
    }

    private void countFlows() {
        for (Event event = events.peek(); event != null; event = events.peek()) {
            if (event.getType() == Event.Type.LINK_FLOW) {
                flows.merge(event.getLink(), 1, Integer::sum);
            }
            events.pop();
        }
    }

    /** Asks for a session and does not wait for it. */
    void acceptNextSession(String path) {
        acceptNextSession(path, "next-" + path);
    }

    Receiver acceptNextSession(String path, String name) {
        Receiver receiver = session.receiver(name);
        Source source = new Source();
        source.setAddress(path);
        Map<Symbol, Object> filter = new HashMap<>();
        filter.put(Symbol.valueOf("com.microsoft:session-filter"), null);
        source.setFilter(filter);
        receiver.setSource(source);
        receiver.setTarget(new Target());
        receiver.open();
        write();
        return receiver;
    }

    /** Writes, and reads until this is so. */
    void until(BooleanSupplier done) {
        write();
        while (!done.getAsBoolean()) {
            read();
            write();
        }
    }

    private void write() {
        try {
            for (int pending = transport.pending(); pending > 0; pending = transport.pending()) {
                ByteBuffer head = transport.head();
                byte[] bytes = new byte[head.remaining()];
                head.get(bytes);
                socket.getOutputStream().write(bytes);
                transport.pop(bytes.length);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try {
            byte[] bytes = new byte[8192];
            int count = socket.getInputStream().read(bytes, 0, Math.min(bytes.length, transport.capacity()));
            if (count < 0) {
                throw new IOException("The broker has closed the connection");
            }
            transport.tail().put(bytes, 0, count);
            transport.process();
            countFlows();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the connection without a word. */
    void cut() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        cut();
    }
}
