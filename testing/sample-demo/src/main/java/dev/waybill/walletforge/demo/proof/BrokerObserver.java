package dev.waybill.walletforge.demo.proof;

import java.util.List;
import java.util.Map;

/** Tells of the messages between relay and consumer. Ids are logical ids. */
public interface BrokerObserver {
    /** Ids of the messages that were stored, session by session, in the order of storing. */
    Map<String, List<String>> publications();

    /** How often each message was delivered to a consumer. */
    Map<String, Integer> deliveries();
}
