package dev.waybill.servicebus.embedded.transport;

import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.transport.Disposition;
import org.apache.qpid.proton.amqp.transport.Flow;
import org.apache.qpid.proton.amqp.transport.Transfer;
import org.apache.qpid.proton.engine.impl.ProtocolTracer;
import org.apache.qpid.proton.framing.TransportFrame;

/** Sees every frame before the protocol engine does, for values that are allowed and that the engine does not stand. */
public final class FrameGuard implements ProtocolTracer {
    /** The engine counts credit in an int, and adds to it. */
    private static final UnsignedInteger MOST_CREDIT = UnsignedInteger.valueOf(1_000_000_000);
    /** Deliveries that a client may name in vain, and how often it may name each that there was. */
    private static final long NAMED_IN_VAIN = 100_000;

    private static final int NAMED_FOR_EACH = 10;

    private long nameable = NAMED_IN_VAIN;

    @Override
    public void receivedFrame(TransportFrame frame) {
        if (frame.getBody() instanceof Disposition disposition) {
            named(disposition);
        } else if (frame.getBody() instanceof Transfer) {
            nameable += NAMED_FOR_EACH;
        } else if (frame.getBody() instanceof Flow flow
                && flow.getLinkCredit() != null
                && flow.getLinkCredit().compareTo(MOST_CREDIT) > 0) {
            flow.setLinkCredit(MOST_CREDIT);
        }
    }

    @Override
    public void sentFrame(TransportFrame frame) {
        if (frame.getBody() instanceof Transfer) {
            nameable += NAMED_FOR_EACH;
        }
    }

    // The engine looks for every number of the range, and for ever if it ends with the last there is.
    private void named(Disposition disposition) {
        UnsignedInteger last = disposition.getLast();
        long count =
                last == null ? 1 : last.longValue() - disposition.getFirst().longValue() + 1;
        nameable -= Math.max(1, count);
        if (nameable < 0 || isGreatest(disposition.getFirst()) || (last != null && isGreatest(last))) {
            throw new IllegalStateException("A disposition names deliveries that there never were");
        }
    }

    private static boolean isGreatest(UnsignedInteger number) {
        return number.equals(UnsignedInteger.MAX_VALUE);
    }
}
