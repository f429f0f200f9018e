document.title = "main";
