package dev.waybill.servicebus.embedded.security;

public enum AccessRight {
    /** Receive, settle and browse messages, and change subscription rules over AMQP. */
    LISTEN("Listen", "Azure Service Bus Data Receiver"),
    /** Send, schedule and cancel messages. */
    SEND("Send", "Azure Service Bus Data Sender"),
    /** Everything, including administration over HTTP. */
    MANAGE("Manage", "Azure Service Bus Data Owner");

    private final String claim;
    private final String role;

    AccessRight(String claim, String role) {
        this.claim = claim;
        this.role = role;
    }

    /** The name in Service Bus. */
    public String claim() {
        return claim;
    }

    /** The granting role in Microsoft Entra. */
    String role() {
        return role;
    }
}
