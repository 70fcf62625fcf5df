package dev.waybill.servicebus.embedded.amqp;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.qpid.proton.engine.Delivery;
import org.apache.qpid.proton.engine.EndpointState;
import org.apache.qpid.proton.engine.Event;
import org.apache.qpid.proton.engine.Link;
import org.apache.qpid.proton.engine.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The links that a client has attached on one connection, each with its handler, until either side closes them.
 */
final class OpenLinks {
    private static final Logger log = LoggerFactory.getLogger(OpenLinks.class);

    /** The protocol engine remembers each of them until its link is gone. */
    private static final int MOST_DISCARDED = 100_000;

    private final Set<Link> links = new LinkedHashSet<>();
    private final Consumer<Link> gone;
    private int discarded;

    /** With what else is to forget a link. */
    OpenLinks(Consumer<Link> gone) {
        this.gone = gone;
    }

    /** Takes a link in; false if it is there already. */
    boolean add(@Nullable Link link) {
        if (link == null) {
            throw new IllegalStateException("The protocol engine tells of a link that it has already forgotten");
        }
        return links.add(link);
    }

    /** Hands a delivery to its link's handler, or throws away what comes over a link that the broker has detached. */
    void delivery(Delivery delivery) {
        Link link = delivery.getLink();
        if (link.getContext() instanceof LinkHandler handler) {
            handler.delivery(delivery);
        } else if (link.getLocalState() == EndpointState.CLOSED) {
            discarded += Discarded.from(link);
            if (discarded > MOST_DISCARDED) {
                throw new IllegalStateException("The client goes on sending where it was told not to");
            }
        }
    }

    static LinkHandler handler(Link link) {
        return link.getContext() instanceof LinkHandler handler ? handler : new LinkHandler() {};
    }

    /** The link's handler has nothing more to do with it. */
    void forget(Link link) {
        if (links.remove(link)) {
            gone.accept(link);
            LinkHandler handler = handler(link);
            link.setContext(null);
            handler.closed();
        }
    }

    /** The client has closed a link, or detached it, and is answered in the same way. */
    void closed(Event event) {
        Link link = event.getLink();
        forget(link);
        if (link.getLocalState() != EndpointState.CLOSED) {
            if (event.getType() == Event.Type.LINK_REMOTE_DETACH) {
                link.detach();
            } else {
                link.close();
            }
        }
        link.free();
    }

    /** The client has ended a session, and its links with it. */
    void ended(Session session) {
        for (Link link : List.copyOf(links)) {
            if (link.getSession() == session) {
                forget(link);
            }
        }
    }

    /** The connection has ended. A handler that fails must not leave the others behind. */
    void forgetAll() {
        for (Link link : List.copyOf(links)) {
            inAnyCase(() -> forget(link));
        }
    }

    /** Cleans up one part of a connection. Logs a failure, so that the other parts are cleaned up too. */
    static void inAnyCase(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | StackOverflowError e) {
            log.error("Clean-up of a closed connection failed", e);
        }
    }
}
