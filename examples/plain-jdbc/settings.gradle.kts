rootProject.name = "plain-jdbc"
