document.title = "console";
