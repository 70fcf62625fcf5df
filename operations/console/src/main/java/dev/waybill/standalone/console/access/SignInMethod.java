package dev.waybill.standalone.console.access;

import java.util.Locale;

enum SignInMethod {
    TOKEN,
    PASSWORD,
    PROXY,
    OPENID;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SignInMethod of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
