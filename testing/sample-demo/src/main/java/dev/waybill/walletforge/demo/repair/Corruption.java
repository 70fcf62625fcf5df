package dev.waybill.walletforge.demo.repair;

import java.util.regex.Pattern;

/** A mistake in a payment's message, and its repair. */
final class Corruption {
    private static final Pattern AMOUNT = Pattern.compile("\"amountCents\":(\\d+)");

    private Corruption() {}

    static String writeAmountAsText(String body) {
        return AMOUNT.matcher(body).replaceFirst("\"amountCents\":\"$1 cents\"");
    }

    static String garbleKind(String body) {
        return body.replace("\"credit\"", "\"crdeit\"").replace("\"debit\"", "\"dbeit\"");
    }

    static String spellKind(String body) {
        return body.replace("\"crdeit\"", "\"credit\"").replace("\"dbeit\"", "\"debit\"");
    }
}
