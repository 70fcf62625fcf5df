package dev.waybill.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * Hears each time that a transaction is suspended, and by which method. Spring suspends it for REQUIRES_NEW, for
 * NOT_SUPPORTED, and for a transaction of another manager. NESTED is a savepoint of the same transaction.
 */
final class Suspensions implements TransactionSynchronization {
    private static final int MOST = 10;

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void suspend() {
        if (seen.size() < MOST) {
            seen.add("the transaction was suspended by " + caller());
        }
    }

    List<String> seen() {
        return List.copyOf(seen);
    }

    // The first frame that is not Spring's is the service that asked for it, or who called its proxy.
    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> isTheServices(frame.getClassName()))
                        .findFirst()
                        .map(frame -> plain(frame.getClassName()) + "." + frame.getMethodName())
                        .orElse("an unknown caller"));
    }

    private static boolean isTheServices(String type) {
        return !type.startsWith("org.springframework.")
                && !type.startsWith("java.")
                && !type.startsWith("jdk.")
                && !type.startsWith("dev.waybill.spring.Suspensions");
    }

    // The proxy of a class is a class with a longer name.
    private static String plain(String type) {
        int proxy = type.indexOf("$$");
        return proxy < 0 ? type : type.substring(0, proxy);
    }
}
