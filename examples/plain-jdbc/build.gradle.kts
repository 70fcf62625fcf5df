// The same as pom.xml, for Gradle 7.3 or newer. Waybill's own build does not run it.
plugins {
    java
}

repositories {
    mavenLocal { content { includeGroup("dev.waybill") } }
    mavenCentral()
}

java {
    toolchain { languageVersion.set(JavaLanguageVersion.of(17)) }
}

dependencies {
    implementation(platform("dev.waybill:waybill-bom:0.9.0"))
    implementation("dev.waybill:waybill-service-bus")
    implementation("org.postgresql:postgresql:42.7.14")
    implementation("com.zaxxer:HikariCP:7.1.0")

    testImplementation("dev.waybill:waybill-test-kit")
    testImplementation("org.junit.jupiter:junit-jupiter:5.14.4")
    testImplementation("org.awaitility:awaitility:4.3.0")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher")
    testRuntimeOnly("org.slf4j:slf4j-nop:2.0.20")
}

tasks.test {
    useJUnitPlatform()
}
